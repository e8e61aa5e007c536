package dev.orderly.http.health;

import dev.orderly.http.openapi.RecordJson;
import dev.orderly.web.message.Response;
import dev.orderly.web.problem.Problem;
import dev.orderly.web.problem.ProblemException;
import dev.orderly.web.problem.ProblemType;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;

/** The answers of the endpoints of health. */
public final class HealthAnswers {
    private static final String OK = "ok";

    private HealthAnswers() {}

    /** The process is alive. */
    public static Response live() {
        return RecordJson.ok(new HealthJson(HealthJson.Status.LIVE, null, null));
    }

    /**
     * The server is ready, with the result of each check. Blocks as {@link Readiness#results}.
     *
     * @throws ProblemException if it is not ready; names the failed checks
     */
    public static Response ready(Readiness readiness) {
        Map<String, String> results = readiness.results();
        Map<String, String> shown = new LinkedHashMap<>();
        results.forEach((name, reason) -> shown.put(name, reason.isEmpty() ? OK : reason));
        String failures = results.entrySet().stream().filter(result -> !result.getValue().isEmpty())
                .map(failure -> failure.getKey() + ": " + failure.getValue()).collect(Collectors.joining("; "));
        if (!failures.isEmpty()) {
            throw new ProblemException(new Problem(ProblemType.NOT_READY, failures).withMember("checks", shown));
        }
        List<String> warnings = readiness.warnings();
        return RecordJson.ok(
                new HealthJson(HealthJson.Status.READY, shown, warnings.isEmpty() ? null : warnings));
    }
}
