package dev.orderly.job.payload;

import dev.orderly.job.JobId;
import dev.orderly.job.JobState;
import dev.orderly.job.JobView;
import dev.orderly.job.Payload;
import dev.orderly.job.QueueName;
import dev.orderly.job.Unprocessable;
import dev.orderly.job.payload.PayloadReport.Covered;
import dev.orderly.job.payload.PayloadReport.Unreadable;
import dev.orderly.job.store.JobViews;
import java.io.BufferedReader;
import java.io.BufferedWriter;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.ArrayList;
import java.util.Base64;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.TreeMap;
import java.util.function.BiConsumer;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import tools.jackson.core.JacksonException;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;
import tools.jackson.databind.node.ObjectNode;

/**
 * Checks whether the present types read the payloads of the queues that are declared here, without running them: the
 * waiting and delayed jobs of the store, or samples in a file. Queues of raw bytes are left out. Blocks on the store;
 * changes nothing. Thread-safe.
 */
public final class PayloadCheck {
    private static final int PAGE = 200;
    private static final String QUEUE = "queue";
    private static final String TYPE = "type";
    private static final String PAYLOAD = "payload";
    private static final String BASE64 = "base64";

    private final JobViews views;
    private final Supplier<Map<QueueName, PayloadFormat>> formats;

    /** @param formats formats of the declared queues */
    public PayloadCheck(JobViews views, Supplier<Map<QueueName, PayloadFormat>> formats) {
        Objects.requireNonNull(formats, "formats");
        Objects.requireNonNull(views, "views");
        this.views = views;
        this.formats = formats;
    }

    /**
     * Reads the payloads of jobs that wait or are delayed.
     *
     * @param most largest number of each queue, the oldest first; the report says whether more wait
     */
    public PayloadReport waiting(int most) {
        Findings findings = new Findings();
        formats().forEach((queue, format) -> {
            boolean whole = each(queue, most, (job, payload) -> findings.read(format, queue, payload, job, 0));
            findings.covered(queue, whole);
        });
        return findings.report();
    }

    /**
     * Reads the samples of a file, such as {@link #keep} writes: a JSON object on each line, with {@code queue},
     * {@code type} (the content type; JSON if it is missing) and {@code payload} (JSON) or {@code base64}. Lines of
     * queues that are not declared here are left out.
     *
     * @throws IllegalArgumentException if a line is none; the message names it
     * @throws UncheckedIOException if the file cannot be read
     */
    public PayloadReport samples(Path file) {
        Objects.requireNonNull(file, "file");
        Findings findings = new Findings();
        Map<QueueName, PayloadFormat> known = formats();
        try (BufferedReader lines = Files.newBufferedReader(file)) {
            int number = 0;
            for (String line = lines.readLine(); line != null; line = lines.readLine()) {
                number++;
                if (!line.isBlank()) {
                    Sample sample = sample(line, file + ", line " + number);
                    PayloadFormat format = known.get(sample.queue);
                    if (format != null) {
                        findings.read(format, sample.queue, sample.payload, null, number);
                    }
                }
            }
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        return findings.report();
    }

    /**
     * Appends the payloads of waiting and delayed jobs to a file of samples, for {@link #samples} in a test of a later
     * version. The file has the payloads as they are: keep no secrets in it.
     *
     * @param most largest number of each queue, the oldest first
     * @return number of payloads written
     * @throws UncheckedIOException if the file cannot be written
     */
    public int keep(Path file, int most) {
        Objects.requireNonNull(file, "file");
        List<String> lines = new ArrayList<>();
        formats().keySet().forEach(queue -> each(queue, most, (_, payload) -> lines.add(line(queue, payload))));
        try (BufferedWriter out = Files.newBufferedWriter(file, StandardOpenOption.CREATE,
                StandardOpenOption.APPEND)) {
            for (String line : lines) {
                out.write(line);
                out.write('\n');
            }
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        return lines.size();
    }

    private Map<QueueName, PayloadFormat> formats() {
        Map<QueueName, PayloadFormat> typed = new TreeMap<>(formats.get());
        typed.values().removeIf(PayloadFormat::isRaw);
        return typed;
    }

    /** Visits the oldest pending jobs of a queue; returns whether those are all. */
    private boolean each(QueueName queue, int most, BiConsumer<JobId, Payload> visitor) {
        int left = most;
        for (JobState state : List.of(JobState.WAITING, JobState.DELAYED)) {
            JobId after = null;
            List<JobView> page;
            do {
                page = views.list(queue, state, after, Math.min(PAGE, left + 1));
                for (JobView job : page) {
                    if (left-- == 0) {
                        return false;
                    }
                    if (job.payload() != null) {
                        visitor.accept(job.id(), job.payload());
                    }
                    after = job.id();
                }
            } while (page.size() == PAGE);
        }
        return true;
    }

    private record Sample(QueueName queue, Payload payload) {}

    private static Sample sample(String line, String where) {
        try {
            JsonNode json = JsonMapper.shared().readTree(line);
            String type = json.path(TYPE).asString(Payload.JSON);
            byte[] bytes = json.has(BASE64)
                    ? Base64.getDecoder().decode(json.path(BASE64).asString())
                    : JsonMapper.shared().writeValueAsBytes(json.required(PAYLOAD));
            return new Sample(new QueueName(json.required(QUEUE).asString()), new Payload(type, bytes));
        } catch (JacksonException | IllegalArgumentException e) {
            throw new IllegalArgumentException(
                    where + " is no sample: write {\"queue\": …, \"type\": …, \"payload\": …}"
                            + " on one line (" + e.getMessage() + ")",
                    e);
        }
    }

    private static String line(QueueName queue, Payload payload) {
        ObjectNode json = JsonMapper.shared().createObjectNode().put(QUEUE, queue.value()).put(TYPE,
                payload.contentType());
        JsonNode content = content(payload);
        return (content == null ? json.put(BASE64, payload.bytes()) : json.set(PAYLOAD, content)).toString();
    }

    private static @Nullable JsonNode content(Payload payload) {
        try {
            return PayloadCodec.isJson(PayloadCodec.mediaType(payload.contentType()))
                    ? JsonMapper.shared().readTree(payload.bytes())
                    : null;
        } catch (JacksonException _) {
            return null;
        }
    }

    /** The findings of a check under way. */
    private static final class Findings {
        private final Map<QueueName, int[]> counts = new TreeMap<>();
        private final List<Unreadable> unreadable = new ArrayList<>();
        private final Map<QueueName, Boolean> whole = new TreeMap<>();

        void read(PayloadFormat format, QueueName queue, Payload payload, @Nullable JobId job, int line) {
            int[] count = counts.computeIfAbsent(queue, _ -> new int[2]);
            count[0]++;
            try {
                format.decode(payload);
            } catch (Unprocessable | UnreadablePayloadException e) {
                count[1]++;
                if (unreadable.size() < PayloadReport.LISTED_MAX) {
                    unreadable.add(new Unreadable(queue, job, line, String.valueOf(e.getMessage())));
                }
            }
        }

        void covered(QueueName queue, boolean all) {
            counts.computeIfAbsent(queue, _ -> new int[2]);
            whole.put(queue, all);
        }

        PayloadReport report() {
            List<Covered> covered = new ArrayList<>();
            counts.forEach((queue, count) -> covered.add(new Covered(queue, count[0], count[1],
                    Objects.requireNonNullElse(whole.get(queue), true))));
            return new PayloadReport(covered, unreadable);
        }
    }
}
