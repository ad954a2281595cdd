package ginrummy;

/** Stands in for the framework's class: the same names, and one object a card. */
public class Card {
    public static Card[] allCards = new Card[52];

    public final int rank;
    public final int suit;

    static {
        for (int id = 0; id < 52; id++) {
            allCards[id] = new Card(id % 13, id / 13);
        }
    }

    public Card(int rank, int suit) {
        this.rank = rank;
        this.suit = suit;
    }

    public int getRank() {
        return rank;
    }

    /** 0 clubs, 1 hearts, 2 spades, 3 diamonds. */
    public int getSuit() {
        return suit;
    }

    public int getId() {
        return 13 * suit + rank;
    }

    @Override
    public String toString() {
        return "A23456789TJQK".substring(rank, rank + 1) + "CHSD".charAt(suit);
    }
}
