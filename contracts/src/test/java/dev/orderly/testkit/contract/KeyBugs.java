package dev.orderly.testkit.contract;

import dev.orderly.job.store.ClaimRequest;
import dev.orderly.job.store.ClaimRequest.Demand;
import dev.orderly.job.store.NewJob;
import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/** The bugs of keys: a store that is told other keys, or other run times of them. */
final class KeyBugs {
    private final Bug bug;
    private final boolean restarted;
    private String newest = "";

    KeyBugs(Bug bug, boolean restarted) {
        this.bug = bug;
        this.restarted = restarted;
    }

    /** The pushed jobs, with the keys that the store sees. */
    List<NewJob> pushed(List<NewJob> jobs) {
        return jobs.stream().map(this::pushed).toList();
    }

    private NewJob pushed(NewJob job) {
        String key = job.terms().key();
        if (key == null) {
            return job;
        }
        newest = key;
        String seen = switch (bug) {
            case IGNORES_KEYS -> null;
            case TAKES_ALL_KEYS_FOR_ONE -> "one";
            case FORGETS_KEYS_IN_A_CRASH -> restarted ? key + "-again" : key;
            default -> key;
        };
        return job.on(job.terms().withKey(seen), job.unique());
    }

    /** What a claim asks for. */
    List<Demand> wanted(ClaimRequest request) {
        return request.wants().stream().map(want -> switch (bug) {
            case LETS_NEW_KEYS_BEGIN_AT_ZERO ->
                new Demand(want.queue(), want.limit(), want.run(), favoured(want.ran()));
            case FORGETS_RUN_TIMES -> new Demand(want.queue(), want.limit(), want.run());
            default -> want;
        }).toList();
    }

    /** Run times by which the newest key has hundreds of turns before any other. */
    private Map<String, Duration> favoured(Map<String, Duration> ran) {
        Map<String, Duration> all = new HashMap<>();
        ran.keySet().forEach(key -> all.put(key, Duration.ofSeconds(key.equals(newest) ? 1 : 1_000)));
        return all;
    }
}
