package dev.orderly.telemetry.trace;

import io.opentelemetry.api.common.Attributes;
import io.opentelemetry.api.trace.SpanKind;
import io.opentelemetry.context.Context;
import io.opentelemetry.sdk.trace.data.LinkData;
import io.opentelemetry.sdk.trace.samplers.Sampler;
import io.opentelemetry.sdk.trace.samplers.SamplingResult;
import java.util.List;

/**
 * Records a share of the traces, chosen by their ids. Pushes and attempts follow the decision of their parent. Requests
 * from outside do not: any client could have all of them recorded.
 */
final class ShareSampler implements Sampler {
    private final Sampler share;
    private final Sampler following;

    /** @param share 0 to 1 */
    ShareSampler(double share) {
        this.share = Sampler.traceIdRatioBased(share);
        this.following = Sampler.parentBased(this.share);
    }

    @Override
    public SamplingResult shouldSample(Context parent, String traceId, String name, SpanKind kind,
            Attributes attributes, List<LinkData> links) {
        Sampler deciding = kind == SpanKind.SERVER ? share : following;
        return deciding.shouldSample(parent, traceId, name, kind, attributes, links);
    }

    @Override
    public String getDescription() {
        return "ShareSampler{" + share.getDescription() + "}";
    }
}
