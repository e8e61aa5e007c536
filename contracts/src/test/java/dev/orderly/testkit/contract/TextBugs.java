package dev.orderly.testkit.contract;

import dev.orderly.job.JobFailure;
import dev.orderly.job.Payload;
import dev.orderly.job.store.AttemptOutcome;
import dev.orderly.job.store.NewJob;
import dev.orderly.store.StoreException;
import dev.orderly.testkit.contract.input.SampleTexts;
import dev.orderly.user.UserId;
import java.text.Normalizer;
import java.util.HashMap;
import java.util.Locale;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** Defects of stores in the handling of text. */
final class TextBugs {
    private static final int CUT = 255;

    private TextBugs() {}

    /** A text as a store with the bug keeps it; unchanged for bugs that do not concern text. */
    static String distorted(Bug bug, String text) {
        return switch (bug) {
            case NORMALIZES_TEXT -> Normalizer.normalize(text, Normalizer.Form.NFC);
            case FOLDS_CASE -> text.toLowerCase(Locale.ROOT);
            case KEEPS_TWO_BYTES_A_CHARACTER -> text.codePoints().map(c -> Character.isBmpCodePoint(c) ? c : '?')
                    .collect(StringBuilder::new, StringBuilder::appendCodePoint, StringBuilder::append).toString();
            case CUTS_TEXT -> SampleTexts.start(text, CUT);
            default -> text;
        };
    }

    static NewJob distorted(Bug bug, NewJob job) {
        Map<String, String> params = new HashMap<>();
        job.params().forEach((name, value) -> params.put(distorted(bug, name), distorted(bug, value)));
        return new NewJob(job.queue(), distortedOrNone(bug, job.group()), job.priority(), job.runAt(),
                distorted(bug, job.payload()), params, UserId.ofStored(distortedOrNone(bug, UserId.column(job.user()))),
                job.dedupe(),
                job.fingerprint(), job.idempotency(), job.claimer(), bug == Bug.LOSES_TRACES ? null : job.trace(),
                bug == Bug.LOSES_ORIGINS ? null : job.origin(), job.terms(), job.unique(), job.parent());
    }

    /** @throws StoreException.Unusable if that is the bug */
    static AttemptOutcome distorted(Bug bug, AttemptOutcome ending) {
        return switch (ending) {
            case AttemptOutcome.Dead dead -> new AttemptOutcome.Dead(distorted(bug, dead.failure()), dead.halt(),
                    dead.end());
            case AttemptOutcome.Retry retry -> new AttemptOutcome.Retry(retry.at(), distorted(bug, retry.failure()),
                    retry.end());
            case AttemptOutcome.Cancelled cancelled -> {
                stumble(bug, cancelled.reason());
                yield new AttemptOutcome.Cancelled(distorted(bug, cancelled.reason()));
            }
            case AttemptOutcome other -> other;
        };
    }

    private static JobFailure distorted(Bug bug, JobFailure failure) {
        stumble(bug, failure.summary());
        return new JobFailure(distorted(bug, failure.summary()), distorted(bug, failure.detail()));
    }

    private static Payload distorted(Bug bug, Payload payload) {
        return new Payload(distorted(bug, payload.contentType()), payload.bytes());
    }

    private static @Nullable String distortedOrNone(Bug bug, @Nullable String text) {
        return text == null ? null : distorted(bug, text);
    }

    private static void stumble(Bug bug, String text) {
        if (bug == Bug.FAILS_ON_REPAIRED_TEXT && text.indexOf('\ufffd') >= 0) {
            throw new StoreException.Unusable("A text has a character that is not taken", null);
        }
    }
}
