package dev.orderly.job.payload;

import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.function.UnaryOperator;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;
import tools.jackson.databind.node.ObjectNode;

/**
 * Changes of a payload's fields since jobs were stored. They are applied in their order to each JSON object and each
 * form before it is read as the type, whichever version stored it: a payload that is up to date has to stay as it is.
 * Immutable.
 */
public final class PayloadChanges {
    /** No change. */
    public static final PayloadChanges NONE = new PayloadChanges(List.of());

    private final List<Step> steps;

    /** One change. */
    private interface Step {
        ObjectNode apply(ObjectNode payload, JsonMapper json);
    }

    private PayloadChanges(List<Step> steps) {
        this.steps = steps;
    }

    /** A field has another name now; where a payload has both, the present one counts. */
    public PayloadChanges rename(String earlier, String present) {
        Objects.requireNonNull(earlier, "earlier");
        Objects.requireNonNull(present, "present");
        return and((payload, _) -> {
            JsonNode value = payload.remove(earlier);
            if (value != null && !payload.has(present)) {
                payload.set(present, value);
            }
            return payload;
        });
    }

    /**
     * A field that may be missing.
     *
     * @param value anything that Jackson writes
     */
    public PayloadChanges byDefault(String field, Object value) {
        Objects.requireNonNull(field, "field");
        Objects.requireNonNull(value, "value");
        return and((payload, json) -> {
            if (!payload.has(field)) {
                payload.set(field, json.valueToTree(value));
            }
            return payload;
        });
    }

    /**
     * A change by code, such as of nested fields. An exception means that this version cannot read the payload.
     *
     * @param upcaster may change the object and return it
     */
    public PayloadChanges upcast(UnaryOperator<ObjectNode> upcaster) {
        Objects.requireNonNull(upcaster, "upcaster");
        return and((payload, _) -> upcaster.apply(payload));
    }

    private PayloadChanges and(Step step) {
        List<Step> all = new ArrayList<>(steps);
        all.add(step);
        return new PayloadChanges(List.copyOf(all));
    }

    boolean isEmpty() {
        return steps.isEmpty();
    }

    JsonNode apply(JsonNode payload, JsonMapper json) {
        if (!(payload instanceof ObjectNode object)) {
            return payload;
        }
        ObjectNode changed = object;
        for (Step step : steps) {
            changed = step.apply(changed, json);
        }
        return changed;
    }
}
