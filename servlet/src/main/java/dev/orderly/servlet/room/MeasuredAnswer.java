package dev.orderly.servlet.room;

import dev.orderly.time.Time;
import dev.orderly.web.route.ExchangeContext;
import jakarta.servlet.AsyncEvent;
import jakarta.servlet.AsyncListener;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;
import java.time.Duration;
import java.util.concurrent.atomic.AtomicBoolean;

/**
 * The time and outcome of an answer of the application, by which the room sees whether the application is well. An
 * event stream counts until it begins.
 */
final class MeasuredAnswer implements AsyncListener {
    private final ExchangeContext additions;
    private final HttpServletResponse response;
    private final Time time;
    private final long began;
    private final AtomicBoolean recorded = new AtomicBoolean();

    MeasuredAnswer(ExchangeContext additions, HttpServletResponse response, Time time) {
        this.additions = additions;
        this.response = response;
        this.time = time;
        this.began = time.nanos();
    }

    /** The chain has returned. */
    void ended(HttpServletRequest request) {
        String type = response.getContentType();
        boolean lasts = type != null && type.startsWith("text/event-stream");
        if (request.isAsyncStarted() && !lasts) {
            try {
                request.getAsyncContext().addListener(this);
                return;
            } catch (IllegalStateException _) {
                // it has ended meanwhile
            }
        }
        record(response.getStatus());
    }

    /** The chain has thrown. */
    void failed() {
        record(HttpServletResponse.SC_INTERNAL_SERVER_ERROR);
    }

    private void record(int status) {
        if (recorded.getAndSet(true)) {
            return;
        }
        additions.ended().accept(status);
        if (additions.traffic() != null) {
            additions.traffic().record(Duration.ofNanos(Math.max(0, time.nanos() - began)),
                    status >= 500 && status != 501 && status != 505);
        }
    }

    @Override
    public void onComplete(AsyncEvent event) {
        record(response.getStatus());
    }

    @Override
    public void onTimeout(AsyncEvent event) {
        failed();
    }

    @Override
    public void onError(AsyncEvent event) {
        failed();
    }

    @Override
    public void onStartAsync(AsyncEvent event) {
        event.getAsyncContext().addListener(this);
    }
}
