package dev.orderly.boxoffice.shop;

import dev.orderly.boxoffice.shop.MailServer.Undeliverable;
import dev.orderly.boxoffice.shop.Payments.Receipt;
import dev.orderly.flow.Wakeup;
import dev.orderly.time.Time;
import java.io.IOException;
import java.time.Duration;
import java.util.Locale;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentMap;
import java.util.random.RandomGenerator;

/**
 * The simulated environment of the demo: a bank and a mail server that are sometimes slow and sometimes fail. No money
 * moves and no mail is sent. Thread-safe.
 */
public final class Pretend implements Payments, MailServer {
    private static final int FLAKY_FAILURES = 2;

    private final Luck luck;
    private final Time time;
    private final ConcurrentMap<String, Integer> calls = new ConcurrentHashMap<>();
    private final ConcurrentMap<String, Receipt> charged = new ConcurrentHashMap<>();

    public Pretend(Luck luck, Time time) {
        this.luck = luck;
        this.time = time;
    }

    @Override
    public Receipt charge(String order, long cents, Card card) throws IOException, InterruptedException {
        int call = calls.merge("bank " + order, 1, Integer::sum);
        RandomGenerator chance = luck.of("bank " + order, call);
        boolean slow = card == Card.SLOW || chance.nextInt(100) < 8;
        pause(slow ? chance.nextInt(3000, 5000) : chance.nextInt(250, 900));
        int fate = chance.nextInt(100);
        if (card == Card.FLAKY ? call <= FLAKY_FAILURES : fate < 12) {
            throw new IOException("The bank did not answer");
        }
        Receipt receipt = new Receipt("R-" + chance.nextInt(100_000, 1_000_000), false);
        Receipt before = charged.putIfAbsent(order, receipt);
        if (before != null) {
            return new Receipt(before.number(), true);
        }
        if (card != Card.FLAKY && fate < 20) {
            throw new IOException("The bank took the money, but its answer was lost");
        }
        return receipt;
    }

    @Override
    public void send(String address, String subject, String text) throws IOException, InterruptedException {
        int call = calls.merge("mail " + address + subject, 1, Integer::sum);
        RandomGenerator chance = luck.of("mail " + address + subject, call);
        pause(chance.nextInt(150, 600));
        if (address.toLowerCase(Locale.ROOT).endsWith(".invalid")) {
            throw new Undeliverable("550 No such address: " + address);
        }
        if (chance.nextInt(100) < 25) {
            throw new IOException("451 The mail server is busy");
        }
    }

    /** Waits; an interrupt ends the handler here. */
    private void pause(int millis) throws InterruptedException {
        new Wakeup().await(time, time.deadline(Duration.ofMillis(millis)));
        if (Thread.interrupted()) {
            throw new InterruptedException();
        }
    }
}
