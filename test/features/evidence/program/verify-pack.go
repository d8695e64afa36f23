// Verifies checkpoints and proofs of a pack with golang.org/x/mod/sumdb, which was not written here.
package main

import (
	"bytes"
	"encoding/base64"
	"fmt"
	"log"
	"os"
	"path/filepath"
	"strconv"
	"strings"

	"golang.org/x/mod/sumdb/note"
	"golang.org/x/mod/sumdb/tlog"
)

func must(err error) {
	if err != nil {
		log.Fatal(err)
	}
}

func read(parts ...string) []byte {
	data, err := os.ReadFile(filepath.Join(append([]string{os.Args[1]}, parts...)...))
	must(err)
	return data
}

func hashOf(line string) (hash tlog.Hash) {
	data, err := base64.StdEncoding.DecodeString(line)
	must(err)
	copy(hash[:], data)
	return hash
}

func numberOf(line string) int64 {
	number, err := strconv.ParseInt(line, 10, 64)
	must(err)
	return number
}

func checkpoint(data []byte, known note.Verifiers) tlog.Tree {
	opened, err := note.Open(data, known)
	must(err)
	lines := strings.Split(opened.Text, "\n")
	return tlog.Tree{N: numberOf(lines[1]), Hash: hashOf(lines[2])}
}

func path(lines []string) (hashes []tlog.Hash) {
	for _, line := range lines {
		hashes = append(hashes, hashOf(line))
	}
	return hashes
}

func split(proof []byte) ([]string, []byte) {
	head, rest, _ := bytes.Cut(proof, []byte("\n\n"))
	return strings.Split(string(head), "\n"), rest
}

func main() {
	var verifiers []note.Verifier
	for _, key := range strings.Fields(string(read("keys.txt"))) {
		verifier, err := note.NewVerifier(key)
		must(err)
		verifiers = append(verifiers, verifier)
	}
	known := note.VerifierList(verifiers...)
	first, last := checkpoint(read("checkpoints", "first"), known), checkpoint(read("checkpoints", "last"), known)
	lines, _ := split(read("proofs", "consistency"))
	must(tlog.CheckTree(path(lines[1:]), last.N, last.Hash, first.N, first.Hash))
	entries := 0
	for _, entry := range strings.Split(strings.TrimSuffix(string(read("entries.jsonl")), "\n"), "\n") {
		number, _, _ := strings.Cut(strings.TrimPrefix(entry, "{\"number\":"), ",")
		lines, signed := split(read("proofs", number+".tlog-proof"))
		tree := checkpoint(signed, known)
		index := numberOf(strings.TrimPrefix(lines[1], "index "))
		must(tlog.CheckRecord(path(lines[2:]), tree.N, tree.Hash, index, tlog.RecordHash([]byte(entry))))
		entries++
	}
	fmt.Printf("%d entries, trees of %d and %d\n", entries, first.N, last.N)
}
