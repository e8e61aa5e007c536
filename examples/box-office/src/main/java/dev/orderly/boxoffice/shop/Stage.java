package dev.orderly.boxoffice.shop;

/** The progress of an order. */
public enum Stage {
    RECEIVED("Received"), APPROVAL("Waits for an approval"), DECLINED("Declined"), CHARGING("Charging"),
    CHARGE_FAILED("Payment is tried again"), SOLD_OUT("Sold out"),
    PAID("Paid"), MAIL_FAILED("Mail is tried again"), UNDELIVERABLE("The mail bounced"), SENT("Tickets sent");

    private final String text;

    Stage(String text) {
        this.text = text;
    }

    public String text() {
        return text;
    }

    public boolean isPaid() {
        return compareTo(PAID) >= 0;
    }

    /** Whether the order no longer changes by itself. */
    public boolean isOver() {
        return this == DECLINED || this == SOLD_OUT || this == SENT || this == UNDELIVERABLE;
    }
}
