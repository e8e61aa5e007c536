package dev.orderly.http.gateway;

import dev.orderly.trace.TraceContext;
import dev.orderly.trace.Tracer;
import dev.orderly.web.edge.EdgeHandler;
import dev.orderly.web.edge.EdgeRequest;
import dev.orderly.web.message.Header;
import dev.orderly.web.route.ExchangeContext;
import dev.orderly.web.route.RequestRouter.Match;
import java.util.List;

/**
 * Spans of the requests that the origins get: the span of the edge becomes the parent of the origin's spans. Placed
 * directly in front of the origins. Without this handler the client's own headers reach the origin unchanged.
 */
public final class TracedForwarding implements EdgeHandler {
    private final Tracer tracer;

    public TracedForwarding(Tracer tracer) {
        this.tracer = tracer;
    }

    @Override
    public Match match(EdgeRequest request, Next next) {
        Tracer.Span span = tracer.request(request.head().method(), request.head().trace());
        TraceContext context = span.context();
        if (context == null) {
            return next.match(request);
        }
        request.head().headers().remove(TraceContext.STATE);
        List<Header> forwarded = context.state() == null
                ? List.of(new Header(TraceContext.PARENT, context.parent()))
                : List.of(new Header(TraceContext.PARENT, context.parent()),
                        new Header(TraceContext.STATE, context.state()));
        try {
            return next.match(request)
                    .with(new ExchangeContext(forwarded, List.of(), null, null, _ -> {}, span::answered));
        } catch (RuntimeException e) {
            span.failed(e.getClass().getName());
            throw e;
        }
    }
}
