package dev.orderly.spring.event.shop.shipping;

import dev.orderly.job.Job;
import dev.orderly.spring.JobHandler;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CopyOnWriteArrayList;
import org.springframework.stereotype.Component;

@Component
public class Shipping {
    /** What this module reads of the event. */
    public record Parcel(String customer, int number) {}

    private final Map<String, List<Integer>> shipped = new ConcurrentHashMap<>();

    public Map<String, List<Integer>> shipped() {
        return shipped;
    }

    @JobHandler(value = "parcels.fifo", retry = @JobHandler.Retry(base = "1ms", max = "1ms"))
    void ship(Parcel parcel, Job<?> job) {
        if (parcel.number() % 3 == 0 && job.failures() == 0) {
            throw new IllegalStateException("no van");
        }
        shipped.computeIfAbsent(parcel.customer(), _ -> new CopyOnWriteArrayList<>()).add(parcel.number());
    }
}
