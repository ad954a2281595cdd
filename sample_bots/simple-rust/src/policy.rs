//! What the bot plays.

use crate::arena::{Action, Decision, Turn, TurnKind};

/// Answers a turn. A turn says all there is to know, so there is nothing to remember.
pub fn decide(turn: &Turn) -> Decision {
    let mut card = None;
    let action = match turn.kind() {
        TurnKind::Upcard if top_makes_meld(turn) => Action::Take,
        TurnKind::Upcard => Action::Pass,
        TurnKind::Draw => draw(turn),
        TurnKind::Discard => {
            let chosen = discard(turn);
            card = Some(chosen.into());
            if turn.knocks.contains(&chosen) {
                Action::Knock
            } else {
                Action::Discard
            }
        }
        _ => Action::Defend, // the opponent has knocked: the arena lays down the best
    };
    Decision {
        turn_id: turn.id,
        action: action.into(),
        card,
        ..Default::default()
    }
}

/// Takes the top of the discard pile if it makes a meld. The last discard may be taken to knock with it only, which
/// needs the hints.
fn draw(turn: &Turn) -> Action {
    let last = turn.legal().any(|action| action == Action::Pass);
    if top_makes_meld(turn) && !(last && turn.deadwood.is_empty()) {
        Action::Pile
    } else if last {
        Action::Pass
    } else {
        Action::Stock
    }
}

/// Chooses what leaves the least deadwood; of equals the highest rank, then the highest suit. Without hints all are
/// equal.
fn discard(turn: &Turn) -> u8 {
    let deadwood = turn.deadwood.iter().copied().chain(std::iter::repeat(0));
    let (_, &card) = deadwood
        .zip(&turn.discards)
        .max_by_key(|&(left, &card)| (255 - left, rank(card), suit(card)))
        .expect("a discard has cards to choose from");
    card
}

/// Whether the top of the discard pile makes a meld with two cards in hand: of its rank, or next to it in its suit.
fn top_makes_meld(turn: &Turn) -> bool {
    let &top = turn
        .discard_pile
        .last()
        .expect("the discard pile has a card to take");
    let of_rank = turn
        .hand
        .iter()
        .filter(|&&card| rank(card) == rank(top))
        .count();
    let held = |away: i8| {
        let near =
            |&card: &u8| suit(card) == suit(top) && rank(card) as i8 == rank(top) as i8 + away;
        turn.hand.iter().any(near)
    };
    of_rank >= 2 || held(-2) && held(-1) || held(-1) && held(1) || held(1) && held(2)
}

/// 0 (ace) to 12 (king).
fn rank(card: u8) -> u8 {
    card % 13
}

/// 0 to 3 for clubs, diamonds, hearts, spades.
fn suit(card: u8) -> u8 {
    card / 13
}
