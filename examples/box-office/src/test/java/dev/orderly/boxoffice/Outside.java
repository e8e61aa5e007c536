package dev.orderly.boxoffice;

import dev.orderly.boxoffice.shop.Card;
import dev.orderly.boxoffice.shop.MailServer;
import dev.orderly.boxoffice.shop.Payments;
import java.io.IOException;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CopyOnWriteArrayList;

/** A bank and a mail server that fail on request, without delay, and record every call. */
final class Outside implements Payments, MailServer {
    final List<String> asked = new CopyOnWriteArrayList<>();
    final List<String> charged = new CopyOnWriteArrayList<>();
    final List<String> sent = new CopyOnWriteArrayList<>();
    private final Map<String, Integer> failures = new ConcurrentHashMap<>();

    /** The next calls about this order or to this address fail. */
    void fail(String what, int times) {
        failures.put(what, times);
    }

    @Override
    public Receipt charge(String order, long cents, Card card) throws IOException {
        asked.add(order);
        failIfTold(order);
        charged.add(order);
        return new Receipt("R-" + charged.size(), false);
    }

    @Override
    public void send(String address, String subject, String text) throws IOException {
        if (address.endsWith(".invalid")) {
            throw new Undeliverable("550 No such address: " + address);
        }
        failIfTold(address);
        sent.add(address);
    }

    private void failIfTold(String what) throws IOException {
        if (failures.merge(what, -1, Integer::sum) >= 0) {
            throw new IOException("Fails on request");
        }
    }
}
