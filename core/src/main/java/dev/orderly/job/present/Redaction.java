package dev.orderly.job.present;

import dev.orderly.job.JobEvent;
import dev.orderly.job.JobStep;
import dev.orderly.job.JobView;
import dev.orderly.job.Payload;
import dev.orderly.job.store.JobSnapshot;
import java.net.URLDecoder;
import java.net.URLEncoder;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.Consumer;
import java.util.function.UnaryOperator;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;
import tools.jackson.core.JacksonException;
import tools.jackson.core.JsonParser;
import tools.jackson.core.JsonToken;
import tools.jackson.databind.json.JsonMapper;

/**
 * Masks the values of named keys: in JSON at any depth, in fields of forms, in params, and where they return in the
 * words of a worker. Names are compared without case. Text and bytes of other content types have no keys and stay as
 * they are. Immutable, thread-safe.
 */
public final class Redaction {
    /** The text in place of a masked value. */
    public static final String MASK = "[masked]";
    /** No key is masked. */
    public static final Redaction NONE = new Redaction(List.of());

    private static final Pattern FIELD = Pattern.compile("(?i);\\s*name=\"([^\"]*)\"");
    private static final Pattern BOUNDARY = Pattern.compile("(?i);\\s*boundary=\"?([^\";]+)\"?");

    private static final String HEAD_END = "\r\n\r\n";

    private final Set<String> names;
    private final String mask;

    public Redaction(Collection<String> keys) {
        this(keys.stream().map(key -> key.toLowerCase(Locale.ROOT)).collect(Collectors.toUnmodifiableSet()), MASK);
    }

    private Redaction(Set<String> names, String mask) {
        this.names = names;
        this.mask = mask;
    }

    /** The job with masked payload, result and params; empty if nothing is masked. */
    public Optional<JobView> masked(JobView job) {
        Optional<Payload> payload = masked(job.payload());
        Optional<Payload> result = masked(job.result());
        boolean params = job.params().keySet().stream().anyMatch(this::isNamed);
        return payload.isEmpty() && result.isEmpty() && !params
                ? Optional.empty()
                : Optional.of(new JobSnapshot(job.id(), job.queue(), job.group(), job.priority(), job.state(),
                        job.attempt(), job.failures(), job.dueAt(), job.endedAt(), job.user(), masked(job.params()),
                        payload.orElse(job.payload()), job.failure(), job.progress(), result.orElse(job.result()),
                        job.reason(), job.leasedUntil(), job.origin(), job.run(), job.trace(), job.terms()));
    }

    /** Params with masked values. */
    public Map<String, String> masked(Map<String, String> params) {
        Map<String, String> masked = new HashMap<>(params);
        masked.replaceAll((name, value) -> isNamed(name) ? mask : value);
        return masked;
    }

    /** A step with a masked value. */
    public JobStep masked(JobStep step) {
        return new JobStep(step.name(), step.attempt(), step.keptAt(), masked(step.value()).orElse(step.value()));
    }

    /** An event with a masked value. */
    public JobEvent masked(JobEvent event) {
        JobEvent.Arrival arrival = event.arrival();
        return arrival == null
                ? event
                : new JobEvent(event.name(), event.awaited(), new JobEvent.Arrival(arrival.at(), arrival.from(),
                        masked(arrival.value()).orElse(arrival.value())));
    }

    /** Masked content; empty if nothing is masked. */
    public Optional<Payload> masked(@Nullable Payload payload) {
        byte[] masked = payload == null ? null : read(payload, _ -> {});
        return payload == null || masked == null
                ? Optional.empty()
                : Optional.of(new Payload(payload.contentType(), masked));
    }

    /**
     * Masked content; null if nothing is masked.
     *
     * @param hidden gets the masked values
     */
    private byte @Nullable [] read(@Nullable Payload payload, Consumer<String> hidden) {
        if (payload == null || names.isEmpty()) {
            return null;
        }
        String whole = payload.contentType();
        String type = whole.split(";", 2)[0].strip().toLowerCase(Locale.ROOT);
        if (type.equals(Payload.JSON) || type.endsWith("+json")) {
            return json(payload.bytes(), hidden);
        }
        return switch (type) {
            case "application/x-www-form-urlencoded" -> form(payload.bytes(), hidden);
            case "multipart/form-data" -> multipart(whole, payload.bytes(), hidden);
            default -> null;
        };
    }

    /**
     * Masks the values of a job where they stand in a text, such as the error of its worker: without case, also as JSON
     * and forms write them; values of less than four characters as a whole word only.
     */
    public UnaryOperator<String> maskedIn(Map<String, String> params, @Nullable Payload payload) {
        Set<String> values = new LinkedHashSet<>();
        params.forEach((name, value) -> {
            if (isNamed(name)) {
                values.add(value);
            }
        });
        read(payload, values::add);
        return HiddenValues.masking(values, mask);
    }

    /** Whether the value of a key is masked. */
    public boolean isNamed(String name) {
        return names.contains(name.toLowerCase(Locale.ROOT));
    }

    /** Whether a named key of the content has the mask as its value, as in a masked payload that was pushed again. */
    public boolean hasMask(Payload payload) {
        Optional<Payload> without = new Redaction(names, "-").masked(payload);
        return without.isPresent() && masks(without.get()) < masks(payload);
    }

    private static int masks(Payload payload) {
        return payload.asText().replace("%5Bmasked%5D", MASK).split(Pattern.quote(MASK), -1).length;
    }

    @Override
    public boolean equals(@Nullable Object other) {
        return other instanceof Redaction that && names.equals(that.names);
    }

    @Override
    public int hashCode() {
        return names.hashCode();
    }

    /** The masked document, in which all else stays as it was written; null if nothing is masked. */
    private byte @Nullable [] json(byte[] bytes, Consumer<String> hidden) {
        String text = new String(bytes, StandardCharsets.UTF_8);
        StringBuilder masked = new StringBuilder();
        int copied = 0;
        try (JsonParser parser = JsonMapper.shared().createParser(text)) {
            for (JsonToken token = parser.nextToken(); token != null; token = parser.nextToken()) {
                if (token == JsonToken.PROPERTY_NAME && isNamed(parser.currentName())) {
                    JsonToken value = parser.nextToken();
                    int from = (int) parser.currentTokenLocation().getCharOffset();
                    if (value == JsonToken.START_OBJECT || value == JsonToken.START_ARRAY) {
                        parser.skipChildren();
                    } else {
                        parser.finishToken();
                    }
                    masked.append(text, copied, from).append('"').append(mask).append('"');
                    copied = (int) parser.currentLocation().getCharOffset();
                    HiddenValues.ofJson(text.substring(from, copied), hidden);
                }
            }
        } catch (JacksonException e) {
            return whole(text, hidden);
        }
        return copied == 0
                ? null
                : masked.append(text, copied, text.length()).toString()
                        .getBytes(StandardCharsets.UTF_8);
    }

    /** The mask of content that cannot be read and mentions a named key. */
    private byte @Nullable [] whole(String text, Consumer<String> hidden) {
        String lower = text.toLowerCase(Locale.ROOT);
        if (names.stream().noneMatch(lower::contains)) {
            return null;
        }
        hidden.accept(text);
        return mask.getBytes(StandardCharsets.UTF_8);
    }

    private byte @Nullable [] form(byte[] bytes, Consumer<String> hidden) {
        String text = new String(bytes, StandardCharsets.ISO_8859_1);
        boolean any = false;
        List<String> fields = new ArrayList<>();
        for (String field : text.split("&", -1)) {
            String[] parts = field.split("=", 2);
            String name = parts[0];
            boolean named = isNamed(decoded(name));
            any |= named;
            if (named && parts.length > 1) {
                hidden.accept(decoded(parts[1]));
            }
            fields.add(named ? name + "=" + URLEncoder.encode(mask, StandardCharsets.UTF_8) : field);
        }
        return any ? String.join("&", fields).getBytes(StandardCharsets.ISO_8859_1) : null;
    }

    private static String decoded(String text) {
        try {
            return URLDecoder.decode(text, StandardCharsets.UTF_8);
        } catch (IllegalArgumentException _) {
            return text;
        }
    }

    private byte @Nullable [] multipart(String contentType, byte[] bytes, Consumer<String> hidden) {
        Matcher boundary = BOUNDARY.matcher(contentType);
        String text = new String(bytes, StandardCharsets.ISO_8859_1);
        if (!boundary.find()) {
            return whole(text, hidden);
        }
        String line = "--" + boundary.group(1);
        boolean any = false;
        List<String> parts = new ArrayList<>();
        for (String part : text.split(Pattern.quote(line), -1)) {
            int head = part.indexOf(HEAD_END);
            Matcher name = FIELD.matcher(head < 0 ? "" : part.substring(0, head));
            boolean named = name.find() && isNamed(utf8(name.group(1)));
            any |= named;
            if (named) {
                hidden.accept(utf8(part.substring(head + HEAD_END.length())).strip());
            }
            parts.add(named ? part.substring(0, head) + HEAD_END + mask + "\r\n" : part);
        }
        return any ? String.join(line, parts).getBytes(StandardCharsets.ISO_8859_1) : null;
    }

    private static String utf8(String latin) {
        return new String(latin.getBytes(StandardCharsets.ISO_8859_1), StandardCharsets.UTF_8);
    }
}
