FROM bellhop-test-services
USER www-data
CMD ["nginx", "-g", "daemon off;"]
