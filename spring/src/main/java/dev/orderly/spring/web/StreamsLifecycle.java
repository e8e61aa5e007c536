package dev.orderly.spring.web;

import dev.orderly.servlet.exchange.StreamingPart;
import java.util.stream.Stream;
import org.springframework.beans.factory.ObjectProvider;
import org.springframework.boot.web.servlet.FilterRegistrationBean;
import org.springframework.boot.web.servlet.ServletRegistrationBean;
import org.springframework.context.SmartLifecycle;

/** Ends event streams first when the application stops: the web server waits for requests that are under way. */
final class StreamsLifecycle implements SmartLifecycle {
    /** Above the graceful stop of the web server, which is {@code DEFAULT_PHASE - 1024}. */
    private static final int PHASE = SmartLifecycle.DEFAULT_PHASE - 512;

    private final ObjectProvider<FilterRegistrationBean<?>> filters;
    private final ObjectProvider<ServletRegistrationBean<?>> servlets;
    private volatile boolean running;

    StreamsLifecycle(ObjectProvider<FilterRegistrationBean<?>> filters,
            ObjectProvider<ServletRegistrationBean<?>> servlets) {
        this.filters = filters;
        this.servlets = servlets;
    }

    @Override
    public void start() {
        running = true;
    }

    @Override
    public void stop() {
        running = false;
        Stream.concat(filters.stream().map(FilterRegistrationBean::getFilter),
                servlets.stream().map(ServletRegistrationBean::getServlet))
                .filter(StreamingPart.class::isInstance).map(StreamingPart.class::cast)
                .forEach(StreamingPart::endStreams);
    }

    @Override
    public boolean isRunning() {
        return running;
    }

    /** Not paused between tests, since ended streams do not go on. */
    @Override
    public boolean isPauseable() {
        return false;
    }

    @Override
    public int getPhase() {
        return PHASE;
    }
}
