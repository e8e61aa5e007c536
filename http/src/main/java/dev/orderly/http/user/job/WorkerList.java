package dev.orderly.http.user.job;

import dev.orderly.http.openapi.RecordJson;
import dev.orderly.job.JobId;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Locale;
import java.util.Objects;
import java.util.function.Function;
import java.util.function.ToLongFunction;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * A list of a job that goes with the job to its worker if it is small, and that the worker reads by a link otherwise.
 *
 * @param name the last part of its path, below the job
 * @param bytes of the value and the name of an element
 * @param json an element for people and programs
 */
public record WorkerList<E, J>(String name, ToLongFunction<E> bytes, Function<E, J> json) {
    /** The largest number of bytes of a list that goes with a job to its worker. */
    private static final int MAX = 8 << 10;
    /** As {@link #MAX}, in a header: servers take 8 KiB in all headers, by default. */
    private static final int HEADER_MAX = 4 << 10;

    public WorkerList {
        Objects.requireNonNull(name, "name");
        Objects.requireNonNull(bytes, "bytes");
        Objects.requireNonNull(json, "json");
    }

    /** The list as JSON. */
    List<J> of(List<E> list) {
        return list.stream().map(json).toList();
    }

    /** The list that goes with a job to its worker; null if it is empty, or too large: see {@link #link}. */
    public @Nullable List<J> inline(List<E> list) {
        return list.isEmpty() || size(list) > MAX ? null : of(list);
    }

    /** Where a worker finds a list that is too large to go with the job, below the base of its reports; else null. */
    public @Nullable String link(JobId job, List<E> list) {
        return size(list) > MAX ? path(job) : null;
    }

    /** The list as JSON for a header, in ASCII; null if it is too large. */
    public @Nullable String header(List<E> list) {
        return size(list) > HEADER_MAX ? null : header(RecordJson.bytes(of(list)));
    }

    /** The path of the list of a job, below the base of the reports of its worker. */
    public String path(JobId job) {
        return "jobs/" + job + "/" + name;
    }

    private long size(List<E> list) {
        return list.stream().mapToLong(bytes).sum();
    }

    private static @Nullable String header(byte[] json) {
        String ascii = new String(json, StandardCharsets.UTF_8).chars().mapToObj(WorkerList::ascii)
                .collect(Collectors.joining());
        return ascii.length() > HEADER_MAX ? null : ascii;
    }

    /** A character of JSON; a control character can only stand between its tokens. */
    private static String ascii(int one) {
        return one < 0x7f ? String.valueOf((char) Math.max(one, ' ')) : String.format(Locale.ROOT, "\\u%04x", one);
    }
}
