package dev.orderly.http.user.job;

import dev.orderly.time.Time;
import dev.orderly.web.message.EventStream;
import dev.orderly.web.user.Authentication.Known;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.regex.Pattern;

/** A stream that follows a job or a batch. Used by one thread at a time. */
final class StreamFollower {
    static final Duration SILENCE = Duration.ofSeconds(15);

    private static final byte[] COMMENT = ":\n\n".getBytes(StandardCharsets.US_ASCII);
    private static final Pattern LINE_END = Pattern.compile("\r\n|\r|\n");

    private final String name;
    private final Known known;
    private final EventStream stream;
    private final Time time;
    private String sent = "";
    private long number;
    private long nextComment;

    /** @param name of its events */
    StreamFollower(String name, Known known, EventStream stream, Time time) {
        this.name = name;
        this.known = known;
        this.stream = stream;
        this.time = time;
        this.nextComment = time.deadline(SILENCE);
    }

    Known known() {
        return known;
    }

    EventStream stream() {
        return stream;
    }

    /** Sends a change; sends a comment after a long silence; closes the stream when the user's token has expired. */
    void send(String json, boolean end) {
        if (number > 0 && time.now().isAfter(known.until())) {
            stream.close();
            return;
        }
        if (!json.equals(sent)) {
            sent = json;
            number++;
            write(event(json, end ? UserJobStreams.END : Long.toString(number)));
        } else if (time.reached(nextComment)) {
            write(COMMENT);
        }
        if (end) {
            stream.close();
        }
    }

    private void write(byte[] bytes) {
        stream.write(bytes);
        nextComment = time.deadline(SILENCE);
    }

    /** A result may be JSON over several lines, and each line of an event needs a field name. */
    private byte[] event(String json, String id) {
        String data = LINE_END.matcher(json).replaceAll("\ndata: ");
        return ("event: " + name + "\nid: " + id + "\ndata: " + data + "\n\n").getBytes(StandardCharsets.UTF_8);
    }
}
