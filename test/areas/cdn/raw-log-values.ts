/** A whole form of the raw log export; its secret is a name. */
export const s3 = {
  storage_type: 's3',
  enabled: true,
  for_all_resources: true,
  all_resources_bucket: 'logs',
  s3_type: 'amazon',
  s3_aws_region: 3,
  s3_access_key_id: 'AKIA1',
  s3_secret_key: 'secret:log-key',
  archive_size_mb: 100,
};
