package adapter;

import ginrummy.Card;
import java.util.ArrayList;
import java.util.List;

/**
 * Cards of the arena, 13 * suit + rank, and cards of the framework, which its bots compare by identity.
 *
 * <p>The ranks go from ace to king in both. The suits are clubs, diamonds, hearts, spades here, and clubs, hearts,
 * spades, diamonds there.
 */
final class Cards {
    private static final int[] THEIR_SUIT = {0, 3, 1, 2};
    private static final int[] OUR_SUIT = {0, 2, 3, 1};

    private Cards() {}

    /** The framework's one object for a card. */
    static Card card(int card) {
        return Card.allCards[13 * THEIR_SUIT[card / 13] + card % 13];
    }

    static int number(Card card) {
        return 13 * OUR_SUIT[card.getSuit()] + card.getRank();
    }

    /** A new list, for the bot to do with what it likes. */
    static ArrayList<Card> cards(List<Integer> numbers) {
        ArrayList<Card> cards = new ArrayList<>();
        numbers.forEach(number -> cards.add(card(number)));
        return cards;
    }

    /** New lists. */
    static ArrayList<ArrayList<Card>> melds(List<List<Integer>> melds) {
        ArrayList<ArrayList<Card>> copies = new ArrayList<>();
        melds.forEach(meld -> copies.add(cards(meld)));
        return copies;
    }

    /** What a bot has laid down, which it may change later. */
    static List<List<Integer>> numbers(List<? extends List<Card>> melds) {
        return melds.stream().map(meld -> meld.stream().map(Cards::number).toList()).toList();
    }

    /** What cards count when they are not matched: ace 1, jack, queen and king 10. */
    static int pips(List<Integer> cards) {
        return cards.stream().mapToInt(card -> Math.min(card % 13 + 1, 10)).sum();
    }

    /** Whether a card can be laid off on a meld. */
    static boolean extendsMeld(List<Integer> meld, int card) {
        if (isSet(meld)) {
            return card % 13 == meld.get(0) % 13;
        }
        int low = meld.stream().mapToInt(held -> held).min().getAsInt();
        int high = low + meld.size() - 1;
        return card / 13 == low / 13 && (card == low - 1 || card == high + 1);
    }

    static boolean isSet(List<Integer> meld) {
        return meld.get(0) % 13 == meld.get(1) % 13;
    }
}
