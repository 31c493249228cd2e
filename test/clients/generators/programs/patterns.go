package main

import (
	"encoding/json"
	"log"
	"os"
	"regexp"
)

func main() {
	text, err := os.ReadFile(os.Args[1])
	if err != nil {
		log.Fatal(err)
	}
	var patterns []string
	if err := json.Unmarshal(text, &patterns); err != nil {
		log.Fatal(err)
	}
	for _, pattern := range patterns {
		regexp.MustCompile(pattern)
	}
}
