package dev.orderly.spring.event.shop.order;

import org.springframework.modulith.events.Externalized;

@Externalized("parcels.fifo::#{#this.customer()}")
public record ParcelReady(String customer, int number) {}
