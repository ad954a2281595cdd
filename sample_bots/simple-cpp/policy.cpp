// The policy. A card is a byte, 13 * suit + rank: suits clubs, diamonds, hearts, spades from 0, the ace 0. So the ace of
// clubs is 0, the king of spades 51. Several cards are a std::string.
#include "policy.h"

#include <algorithm>
#include <stdexcept>
#include <string>

using namespace arena::v1;

namespace {

int rank_of(int card) { return card % 13; }

int suit_of(int card) { return card / 13; }

bool has(const std::string& cards, int card) { return cards.find(static_cast<char>(card)) != std::string::npos; }

// Whether a card makes a set or a run with two cards in hand, in other melds or not.
bool makes_meld(int card, const std::string& hand) {
    auto same = [card](char other) { return rank_of(other) == rank_of(card); };
    if (std::count_if(hand.begin(), hand.end(), same) >= 2) return true;
    for (int low = card - 2; low <= card; low++) {  // the runs of three with the card in them
        if (low < 0 || low + 2 >= 52 || suit_of(low) != suit_of(low + 2)) continue;
        int held = 0;
        for (int other = low; other <= low + 2; other++) held += other != card && has(hand, other);
        if (held == 2) return true;
    }
    return false;
}

// Whether the top of the discard pile makes a meld.
bool wants_top(const Turn& turn) { return makes_meld(turn.discard_pile().back(), turn.hand()); }

// The card whose absence leaves the least deadwood; of equals the highest rank, then the highest suit. Without hints
// there is no deadwood, and all cards count as equal.
int choose_discard(const std::string& discards, const std::string& deadwood) {
    size_t best = 0;
    for (size_t i = 1; i < discards.size(); i++) {
        int less = deadwood.empty() ? 0 : deadwood.at(best) - deadwood.at(i);
        int higher = rank_of(discards[i]) - rank_of(discards[best]);
        if (less > 0 || (less == 0 && higher >= 0)) best = i;  // the cards ascend: of equal ranks the last wins
    }
    return discards.at(best);
}

}  // namespace

Decision decide(const Turn& turn) {
    Decision decision;
    decision.set_turn_id(turn.id());
    switch (turn.kind()) {
        case TURN_KIND_UPCARD:
            decision.set_action(wants_top(turn) ? ACTION_TAKE : ACTION_PASS);
            break;
        case TURN_KIND_DRAW: {
            auto& legal = turn.legal();
            bool last = std::find(legal.begin(), legal.end(), ACTION_PASS) != legal.end();
            bool takes = wants_top(turn) && (!last || !turn.deadwood().empty());  // to knock, which needs the hints
            decision.set_action(takes ? ACTION_PILE : last ? ACTION_PASS : ACTION_STOCK);
            break;
        }
        case TURN_KIND_DISCARD: {
            int card = choose_discard(turn.discards(), turn.deadwood());
            decision.set_action(has(turn.knocks(), card) ? ACTION_KNOCK : ACTION_DISCARD);
            decision.set_card(card);
            break;
        }
        case TURN_KIND_DEFEND:
            decision.set_action(ACTION_DEFEND);  // the arena lays down the best
            break;
        default:
            throw std::runtime_error("what is asked is not known: " + std::to_string(turn.kind()));
    }
    return decision;
}
