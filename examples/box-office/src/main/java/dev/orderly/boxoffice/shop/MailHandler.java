package dev.orderly.boxoffice.shop;

import dev.orderly.boxoffice.shop.MailServer.Undeliverable;
import dev.orderly.job.Handler;
import dev.orderly.job.Job;
import dev.orderly.job.Unprocessable;
import java.io.IOException;
import java.util.Map;

/** Sends one confirmation. */
final class MailHandler implements Handler<Confirmation> {
    private final Shop shop;
    private final MailServer server;

    MailHandler(Shop shop, MailServer server) {
        this.shop = shop;
        this.server = server;
    }

    @Override
    public void handle(Confirmation confirmation, Job<Confirmation> job) throws IOException, InterruptedException {
        Order order = shop.order(confirmation.order()).orElseThrow(() -> new Unprocessable(
                "Order " + confirmation.order() + " is not known: the shop forgets its orders when it stops"));
        if (order.stage() == Stage.SENT) {
            return; // an earlier run sent it
        }
        try {
            server.send(order.mail(), "Your tickets, order " + order.id(),
                    "See you there! Your seats: " + order.seats());
            shop.note(order.id(), Stage.SENT, "Tickets sent to " + order.mail() + ".");
            job.send(Map.of("id", order.id(), "status", "shipped"));
        } catch (Undeliverable e) {
            shop.trouble(order.id(), Stage.UNDELIVERABLE, e.getMessage() + ".");
            job.send(Map.of("id", order.id(), "status", "came back"));
            // A retry cannot help until the address is corrected, so the job is a dead letter at once, not after six
            // attempts.
            throw new Unprocessable(String.valueOf(e.getMessage()), e);
        } catch (IOException e) {
            shop.trouble(order.id(), Stage.MAIL_FAILED, e.getMessage() + " (attempt " + job.attempt() + ").");
            job.send(Map.of("id", order.id(), "status", "waiting for the mail server"));
            throw e;
        }
    }
}
