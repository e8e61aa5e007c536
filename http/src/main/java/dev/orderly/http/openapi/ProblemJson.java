package dev.orderly.http.openapi;

import dev.orderly.job.JobId;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** The members of a problem, as {@link dev.orderly.web.problem.Problem} writes them. */
@Doc(name = "Problem", value = "An error, after RFC 9457.")
public record ProblemJson(
        @Doc(value = "The stable identifier of the problem, for programs.",
                facets = "pattern: '^urn:orderly:problem:[a-z-]+$'") String type,
        String title, int status, @Doc("Names the thing, the rule and the remedy.") String detail, String instance,
        @OmitNull @Nullable JobId job, @Doc(facets = "minimum: 1") @OmitNull @Nullable Integer line,
        @Doc(value = "Lines that were not stored, since their dedupe ids stand for other jobs.",
                facets = "items: {type: 'integer', minimum: 1}") @OmitNull @Nullable List<Integer> reused,
        @Doc("The jobs that answer the lines, in their order.") @OmitNull @Nullable List<JobId> jobs,
        @Doc("Of a node that is not ready: the result of each check by its name, ok or why it"
                + " failed.") @OmitNull @Nullable Map<String, String> checks,
        @Doc("With 403: the operation that was refused.") @OmitNull @Nullable String operation,
        @Doc("With 403: the role of the caller.") @OmitNull @Nullable String role,
        @Doc("With 403: the role that the operation needs.") @OmitNull @Nullable String required,
        @Doc("With 403: the queue for which the token is not.") @OmitNull @Nullable String queue) {}
