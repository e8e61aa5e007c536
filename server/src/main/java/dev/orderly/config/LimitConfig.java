package dev.orderly.config;

import dev.orderly.config.schema.CheckedSection;
import dev.orderly.config.schema.KeySpec;
import dev.orderly.config.schema.KeySpec.Absent;
import dev.orderly.config.schema.KeySpec.Group;
import dev.orderly.config.schema.KeySpec.Named;
import dev.orderly.config.schema.KeySpec.Split;
import dev.orderly.config.schema.UnitText;
import dev.orderly.config.schema.ValueType;
import dev.orderly.config.schema.ValueTypes;
import dev.orderly.job.KeyRule;
import dev.orderly.job.Limit;
import dev.orderly.job.LimitName;
import dev.orderly.job.QueueName;
import dev.orderly.job.QueueOptions;
import dev.orderly.text.NearestName;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** The limits of jobs over all nodes: those that queues share by name, and those of one queue. */
final class LimitConfig {
    static final KeySpec.Key<Long> CONCURRENCY = new KeySpec.Key<>("concurrency",
            ValueTypes.count(1, Limit.CONCURRENCY_MAX, "20"), new Absent.Depends("no bound"),
            "How many jobs run at once, those at workers elsewhere among them. One of `concurrency` and `rate` is"
                    + " required.");
    static final KeySpec.Key<Limit> RATE = new KeySpec.Key<>("rate", rates(), new Absent.Depends("no bound"),
            "How many jobs start in any span of this length, wherever it begins.");
    static final Named LIMITS = new Named("limits", names(), List.of(CONCURRENCY, RATE),
            "Limits of jobs over all nodes that share the store, by name; queues name one by `limit`. See"
                    + " [limits](limits.md).");
    private static final KeySpec.Key<LimitName> LIMIT = new KeySpec.Key<>("limit", names(),
            new Absent.Depends("none"),
            "The limit of the queue over all nodes: the name of one of `limits`, which queues share.");
    /** The limit of a queue. */
    static final Split OF_QUEUE = new Split(LIMIT, List.of(CONCURRENCY, RATE),
            "A limit that the queue has for itself, over all nodes: `limit: { concurrency: 1 }`.");

    private static final KeySpec.Key<Long> KEY_PENDING = new KeySpec.Key<>("max-pending",
            ValueTypes.count(1, QueueOptions.KEY_PENDING_LIMIT, "10000"), new Absent.Depends("no bound"),
            "How many jobs of one key may wait or be delayed before pushes of the key are refused; other keys go on.");

    private static final KeySpec.Key<Integer> SHARE = new KeySpec.Key<>("share", shares(),
            new Absent.Depends("no bound"),
            "The part of the concurrency of the queue's `limit` that the running jobs of one key have at most while a"
                    + " job of another key could start; alone a key may have all.");

    /** The key of a queue's jobs. */
    static final KeySpec.Key<KeyRule> KEY = new KeySpec.Key<>("key", keys(), new Absent.Depends("none"),
            "Standard queues only: what the key of a job is, computed once, at its push, which is refused without one."
                    + " Keys take turns by the handler time that they use. `params.NAME`, `user`, or `payload:` with a"
                    + " JSON pointer.");
    /** The limit of each key of a queue. */
    static final Group PER_KEY = new Group("per-key", List.of(CONCURRENCY, RATE, SHARE, KEY_PENDING),
            "What each key of the queue may have, over all nodes; needs `key`. On a FIFO queue what each group may"
                    + " have: `rate` and `max-pending`.");

    private static final Pattern PER = Pattern.compile("([1-9][0-9]{0,6}) per (\\S+)");

    private static final Pattern PART = Pattern.compile("([1-9][0-9]?|100)%");

    private LimitConfig() {}

    /** The limits of the file, by name. */
    static Map<LimitName, Limit> read(CheckedSection at) {
        Map<LimitName, Limit> limits = new TreeMap<>();
        for (String name : at.node().entries().keySet()) {
            names().read().apply(name).ifPresent(valid -> limit(at.below(name))
                    .ifPresent(limit -> limits.put(valid, limit)));
        }
        return limits;
    }

    private static Optional<Limit> limit(CheckedSection at) {
        Optional<Limit> rate = at.value(RATE);
        Optional<Integer> most = at.value(CONCURRENCY).map(Math::toIntExact);
        if (!at.has(CONCURRENCY) && !at.has(RATE)) {
            at.report("A limit bounds nothing", "give it a concurrency, a rate or both");
        }
        return most.isEmpty()
                ? rate
                : most.map(Limit::concurrency)
                        .map(limit -> rate.map(per -> limit.rate(per.starts(), per.period())).orElse(limit));
    }

    /** The limit that a queue has for itself; empty if it has none, or names one. */
    static Optional<Limit> own(CheckedSection queue) {
        return queue.has(OF_QUEUE) && queue.value(LIMIT).isEmpty() && !queue.below(OF_QUEUE).node().entries().isEmpty()
                ? limit(queue.below(OF_QUEUE))
                : Optional.empty();
    }

    /** The options with the key of a queue and the limit of each. */
    static QueueOptions keyed(QueueName name, CheckedSection queue, QueueOptions options,
            Map<LimitName, Limit> limits) {
        Optional<KeyRule> key = queue.value(KEY);
        if (name.isFifo() && queue.has(KEY)) {
            queue.report(KEY, "A FIFO queue has its groups as keys, by which per-key counts",
                    "remove it, or let the queue's name not end in .fifo");
            return options;
        }
        if (name.isFifo() && queue.has(PER_KEY)
                && queue.below(PER_KEY).value(CONCURRENCY).filter(most -> most > 1).isPresent()) {
            queue.below(PER_KEY).report(CONCURRENCY, "One job of each group of a FIFO queue runs at a time, in order",
                    "remove it, or let the queue's name not end in .fifo");
            return options;
        }
        if (queue.has(PER_KEY) && !queue.has(KEY) && !name.isFifo()) {
            queue.report(PER_KEY, "The queue has no key", "give it a key, such as key: user");
            return options;
        }
        if (queue.has(PER_KEY) && queue.below(PER_KEY).has(SHARE)) {
            checkShare(name, queue.below(PER_KEY), options, limits);
        }
        QueueOptions keyed = key.map(options::withKey).orElse(options);
        if (!queue.has(PER_KEY)) {
            return keyed;
        }
        CheckedSection each = queue.below(PER_KEY);
        QueueOptions bounded = each.value(KEY_PENDING).map(Math::toIntExact).map(keyed::withKeyMaxPending)
                .orElse(keyed);
        Optional<Integer> share = each.value(SHARE);
        boolean bounds = each.has(CONCURRENCY) || each.has(RATE) || !(each.has(KEY_PENDING) || each.has(SHARE));
        Optional<Limit> limit = bounds ? limit(each) : Optional.empty();
        Optional<Limit> shared = share.isEmpty()
                ? limit
                : Optional.of(limit.map(most -> most.share(share.get())).orElseGet(() -> Limit.ofShare(share.get())));
        return shared.map(bounded::withPerKey).orElse(bounded);
    }

    /** Reports a share of nothing: the queue has no limit with a concurrency, or is FIFO. */
    private static void checkShare(QueueName name, CheckedSection each, QueueOptions options,
            Map<LimitName, Limit> limits) {
        Optional<Limit> all = options.limit().or(() -> options.limitName().map(limits::get));
        if (name.isFifo()) {
            each.report(SHARE, "One job of each group of a FIFO queue runs at a time, in order",
                    "remove it, or let the queue's name not end in .fifo");
        } else if (all.filter(limit -> limit.concurrency() > 0).isEmpty()) {
            each.report(SHARE, "The queue has no limit with a concurrency, of which it would be a share",
                    "give the queue one, such as limit: { concurrency: 20 }");
        }
    }

    /** The name of the limit that a queue shares; empty if it names none, or one that is not declared. */
    static Optional<LimitName> named(CheckedSection queue, Map<LimitName, Limit> limits) {
        Optional<LimitName> name = queue.value(LIMIT);
        if (name.isPresent() && !limits.containsKey(name.get())) {
            List<String> known = limits.keySet().stream().map(LimitName::value).toList();
            queue.report(LIMIT, "No such limit is declared under limits",
                    NearestName.of(name.get().value(), known).map(near -> "did you mean " + near + "?")
                            .orElse("declare it: limits: { " + name.get() + ": { concurrency: 20 } }"));
            return Optional.empty();
        }
        return name;
    }

    private static ValueType<LimitName> names() {
        return new ValueType<>(
                "the name of a limit: 1 to 80 letters, digits, '_', '-' and '.', starting with a letter or digit",
                text -> {
                    try {
                        return Optional.of(new LimitName(text)).filter(name -> !name.isOfQueue());
                    } catch (IllegalArgumentException e) {
                        return Optional.empty();
                    }
                }, "crm-api");
    }

    private static ValueType<KeyRule> keys() {
        return new ValueType<>("params.NAME, user, or payload: and a JSON pointer", text -> {
            try {
                return Optional.of(KeyRule.parse(text));
            } catch (IllegalArgumentException e) {
                return Optional.empty();
            }
        }, "params.tenant");
    }

    private static ValueType<Limit> rates() {
        return new ValueType<>("a number of jobs, 1 to " + Limit.STARTS_MAX + ", and a time of 1s to 31d",
                LimitConfig::rate, "100 per 10s");
    }

    private static ValueType<Integer> shares() {
        return new ValueType<>("a percentage, 1% to 100%", text -> {
            Matcher part = PART.matcher(text);
            return part.matches() ? Optional.of(Integer.valueOf(part.group(1))) : Optional.empty();
        }, "50%");
    }

    private static Optional<Limit> rate(String text) {
        Matcher per = PER.matcher(text);
        Optional<Duration> period = per.matches() ? UnitText.duration(per.group(2)) : Optional.empty();
        try {
            return period.map(span -> Limit.of(Integer.parseInt(per.group(1)), span));
        } catch (IllegalArgumentException e) {
            return Optional.empty();
        }
    }
}
