package dev.orderly.config;

import java.net.URI;
import java.util.StringJoiner;

/** What is in force, defaults included, for the log: one line a part, nothing secret in it. */
public final class EffectiveConfig {
    private EffectiveConfig() {}

    public static String text(Config config) {
        StringJoiner text = new StringJoiner("\n");
        text.add("store: " + config.store());
        text.add("secret-file: " + config.secretFile());
        text.add("edge: " + listener(config.edge()) + "  admin: " + listener(config.admin()));
        config.jobs().queues().forEach(queue -> text.add("queue " + queue.name() + ": " + queue(queue)));
        config.jobs().routes().forEach(route -> text.add("route POST " + route.post().text() + " -> " + route.queue()
                + (route.accepts().isEmpty() ? "" : ", accepts " + String.join(", ", route.accepts()))));
        var keep = config.jobs().keep();
        text.add("keep: done " + Amounts.text(keep.done()) + " at most " + keep.doneMax() + ", dead "
                + Amounts.text(keep.dead()) + "  stop-grace: " + Amounts.text(config.jobs().stopGrace()) + "  log: "
                + Kinds.lower(config.log()));
        return text.toString();
    }

    private static String listener(Listener listener) {
        return listener.host() + ":" + listener.port();
    }

    private static String queue(QueueConfig queue) {
        var options = queue.options();
        var retry = options.retry();
        URI handler = queue.handler();
        return (handler == null ? "no handler" : "handler " + Problem.shown(handler.toString())) + ", concurrency "
                + options.concurrency() + ", timeout " + Amounts.text(options.timeout()) + ", retry " + retry.attempts()
                + " attempts " + Amounts.text(retry.base()) + " x" + retry.factor() + " max "
                + Amounts.text(retry.max())
                + " jitter " + retry.jitter()
                + (queue.name().isFifo() ? ", on-dead " + Kinds.lower(options.onDead()) : "")
                + ", max-payload " + Amounts.sizeText(options.maxPayload()) + ", max-pending " + options.maxPending();
    }
}
