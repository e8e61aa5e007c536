package dev.orderly.springtest.shop;

import org.springframework.modulith.events.Externalized;

@Externalized("parcels.fifo::#{#this.customer()}")
public record ParcelReady(String customer, int number) {}
