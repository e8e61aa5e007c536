package dev.orderly.springtest.shop;

import dev.orderly.spring.JobHandler;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import org.springframework.stereotype.Component;

@Component
public class Parcels {
    public final List<Integer> shipped = new CopyOnWriteArrayList<>();

    @JobHandler("parcels.fifo")
    void ship(ParcelReady parcel) {
        shipped.add(parcel.number());
    }
}
