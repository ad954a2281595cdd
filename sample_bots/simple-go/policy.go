package main

import (
	"bytes"
	"slices"

	pb "bot/arenav1"
)

// decide answers a turn. A turn says all there is to know, so there is nothing to remember.
func decide(turn *pb.Turn) *pb.Decision {
	decision := &pb.Decision{TurnId: turn.Id}
	switch turn.Kind {
	case pb.TurnKind_TURN_KIND_UPCARD:
		decision.Action = pb.Action_ACTION_PASS
		if topMakesMeld(turn) {
			decision.Action = pb.Action_ACTION_TAKE
		}
	case pb.TurnKind_TURN_KIND_DRAW:
		decision.Action = draw(turn)
	case pb.TurnKind_TURN_KIND_DISCARD:
		card := discard(turn)
		decision.Card = &card
		decision.Action = pb.Action_ACTION_DISCARD
		if bytes.IndexByte(turn.Knocks, byte(card)) >= 0 {
			decision.Action = pb.Action_ACTION_KNOCK
		}
	default: // the opponent has knocked: the arena lays down the best
		decision.Action = pb.Action_ACTION_DEFEND
	}
	return decision
}

// draw takes the top of the discard pile if it makes a meld. The last discard may be taken to knock with it only,
// which needs the hints.
func draw(turn *pb.Turn) pb.Action {
	last := slices.Contains(turn.Legal, pb.Action_ACTION_PASS)
	switch {
	case topMakesMeld(turn) && !(last && len(turn.Deadwood) == 0):
		return pb.Action_ACTION_PILE
	case last:
		return pb.Action_ACTION_PASS
	default:
		return pb.Action_ACTION_STOCK
	}
}

// discard chooses what leaves the least deadwood; of equals the highest rank, then the highest suit. Without hints
// all are equal.
func discard(turn *pb.Turn) uint32 {
	best := 0
	for i := range turn.Discards {
		if better(turn, i, best) {
			best = i
		}
	}
	return uint32(turn.Discards[best])
}

func better(turn *pb.Turn, i, j int) bool {
	if len(turn.Deadwood) > 0 && turn.Deadwood[i] != turn.Deadwood[j] {
		return turn.Deadwood[i] < turn.Deadwood[j]
	}
	a, b := turn.Discards[i], turn.Discards[j]
	return rank(a) > rank(b) || rank(a) == rank(b) && suit(a) > suit(b)
}

// topMakesMeld tells whether the top of the discard pile makes a meld with two cards in hand: of its rank, or next to
// it in its suit.
func topMakesMeld(turn *pb.Turn) bool {
	card := turn.DiscardPile[len(turn.DiscardPile)-1]
	ofRank := 0
	var near [5]bool // in hand: the cards of its suit from two below it to two above it
	for _, held := range turn.Hand {
		if rank(held) == rank(card) {
			ofRank++
		}
		if away := rank(held) - rank(card); suit(held) == suit(card) && -2 <= away && away <= 2 {
			near[away+2] = true
		}
	}
	return ofRank >= 2 || near[0] && near[1] || near[1] && near[3] || near[3] && near[4]
}

// rank of a card is 0 (ace) to 12 (king), suit 0 to 3 for clubs, diamonds, hearts, spades.
func rank(card byte) int { return int(card) % 13 }
func suit(card byte) int { return int(card) / 13 }
