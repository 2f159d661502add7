// The scores of fit, written without nomadspec and asked by it.
package main

import (
	"bufio"
	"encoding/json"
	"fmt"
	"math"
	"os"
)

type question struct {
	ID       string             `json:"id"`
	Kind     string             `json:"kind"`
	Question map[string]float64 `json:"question"`
}

// free gives ten to the power of the share of a resource that is free.
func free(asked map[string]float64, total, reserved, used string) float64 {
	return math.Pow(10, 1-asked[used]/(asked[total]-asked[reserved]))
}

// show spells a score, which JSON cannot do for what is no number.
func show(score float64) map[string]any {
	score = math.Max(0, math.Min(18, score))
	if math.IsNaN(score) {
		return map[string]any{"value": "NaN"}
	}
	return map[string]any{"value": score}
}

func main() {
	lines := bufio.NewReader(os.Stdin)
	answers := json.NewEncoder(os.Stdout)
	if _, err := lines.ReadBytes('\n'); err != nil { // who asks, and by which rules
		os.Exit(1)
	}
	fmt.Println(`{"protocol": "nomadspec-conform/1", "name": "scores in Go", "kinds": ["fit-and-score/scores"]}`)
	for {
		line, err := lines.ReadBytes('\n')
		if err != nil {
			return
		}
		var asked question
		if err := json.Unmarshal(line, &asked); err != nil {
			answers.Encode(map[string]any{"id": asked.ID, "error": err.Error()})
			continue
		}
		powers := free(asked.Question, "node_cpu", "reserved_cpu", "used_cpu") +
			free(asked.Question, "node_memory_mb", "reserved_memory_mb", "used_memory_mb")
		answers.Encode(map[string]any{
			"id":     asked.ID,
			"answer": map[string]any{"score_binpack": show(20 - powers), "score_spread": show(powers - 2)},
		})
	}
}
