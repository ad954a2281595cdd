// simple-cpp-bridge: a bot in C++17 with no library but the standard one. `arena bridge` gives it a line of JSON for
// each question, and it writes one for each answer.
//
// A card is 13 * suit + rank: suits clubs, diamonds, hearts, spades from 0, the ace 0. So the ace of clubs is 0, the
// king of spades 51.
#include <algorithm>
#include <exception>
#include <iostream>
#include <stdexcept>
#include <string>
#include <vector>

using Cards = std::vector<int>;

// ---- The policy: this is the place for your ideas. ----

int rank_of(int card) { return card % 13; }

int suit_of(int card) { return card / 13; }

bool has(const Cards& cards, int card) { return std::find(cards.begin(), cards.end(), card) != cards.end(); }

// Whether a card makes a set or a run with two cards in hand, in other melds or not.
bool makes_meld(int card, const Cards& hand) {
    auto same = [card](int other) { return rank_of(other) == rank_of(card); };
    if (std::count_if(hand.begin(), hand.end(), same) >= 2) return true;
    for (int low = card - 2; low <= card; low++) {  // the runs of three with the card in them
        if (low < 0 || low + 2 >= 52 || suit_of(low) != suit_of(low + 2)) continue;
        int held = 0;
        for (int other = low; other <= low + 2; other++) held += other != card && has(hand, other);
        if (held == 2) return true;
    }
    return false;
}

// The card whose absence leaves the least deadwood; of equals the highest rank, then the highest suit. Without hints
// there is no deadwood, and all cards count as equal.
int choose_discard(const Cards& discards, const std::vector<int>& deadwood) {
    size_t best = 0;
    for (size_t i = 1; i < discards.size(); i++) {
        int less = deadwood.empty() ? 0 : deadwood[best] - deadwood[i];
        int higher = rank_of(discards[i]) - rank_of(discards[best]);
        if (less > 0 || (less == 0 && higher >= 0)) best = i;  // the cards ascend: of equal ranks the last wins
    }
    return discards.at(best);
}

// ---- The lines: a turn, and what can be read of it. ----

class Turn {
public:
    explicit Turn(const std::string& line) : line_(line) {}

    // The text of a field. It has no escapes where the arena chooses the words.
    std::string text(const std::string& key) const {
        size_t at = after(key) + 1;
        return line_.substr(at, line_.find('"', at) - at);
    }

    // The numbers of a field: of an array, one alone, or none for null.
    std::vector<int> numbers(const std::string& key) const {
        std::vector<int> found;
        for (size_t at = after(key); std::string("[,0123456789").find(line_[at]) != std::string::npos; at++) {
            if (line_[at] == '[' || line_[at] == ',') continue;
            size_t end = line_.find_first_not_of("0123456789", at);
            found.push_back(std::stoi(line_.substr(at, end - at)));
            at = end - 1;
        }
        return found;
    }

    // Whether an action is open, such as "ACTION_STOCK".
    bool legal(const std::string& action) const {
        size_t at = after("legal");
        return line_.substr(at, line_.find(']', at) - at).find('"' + action + '"') != std::string::npos;
    }

private:
    size_t after(const std::string& key) const {
        std::string wanted = '"' + key + "\":";
        size_t found = line_.find(wanted);
        if (found == std::string::npos) throw std::runtime_error("no " + wanted + " in " + line_);
        return found + wanted.size();
    }

    const std::string& line_;
};

void answer(const Turn& turn) {
    std::string kind = turn.text("kind"), action, card;
    if (kind == "TURN_KIND_DISCARD") {
        int chosen = choose_discard(turn.numbers("discards"), turn.numbers("deadwood"));
        action = has(turn.numbers("knocks"), chosen) ? "ACTION_KNOCK" : "ACTION_DISCARD";
        card = ",\"card\":" + std::to_string(chosen);
    } else if (kind == "TURN_KIND_DEFEND") {
        action = "ACTION_DEFEND";  // the arena lays down the best
    } else {
        bool wanted = makes_meld(turn.numbers("discard_pile").back(), turn.numbers("hand"));
        if (kind == "TURN_KIND_UPCARD")
            action = wanted ? "ACTION_TAKE" : "ACTION_PASS";
        else if (kind == "TURN_KIND_DRAW") {
            bool last = turn.legal("ACTION_PASS");  // may be taken only to knock with it, which needs the hints
            bool takes = wanted && (!last || !turn.numbers("deadwood").empty());
            action = takes ? "ACTION_PILE" : last ? "ACTION_PASS" : "ACTION_STOCK";
        } else
            throw std::runtime_error("what is asked is not known: " + kind);
    }
    // endl writes it out: the arena would wait for what stands in a buffer.
    std::cout << R"({"turn_id":")" << turn.text("id") << R"(","action":")" << action << '"' << card << '}' << std::endl;
}

int main() {
    std::ios::sync_with_stdio(false);
    try {
        for (std::string line; std::getline(std::cin, line);)
            if (line.rfind("{\"turn\":", 0) == 0) answer(Turn(line));  // setups and notices are not looked at
    } catch (const std::exception& error) {
        std::cerr << "simple-cpp-bridge: " << error.what() << std::endl;
        return 1;
    }
}
