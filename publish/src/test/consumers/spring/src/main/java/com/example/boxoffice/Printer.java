package com.example.boxoffice;

import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import org.springframework.stereotype.Component;

@Component
public class Printer {
    private final Set<Ticket> printed = ConcurrentHashMap.newKeySet();

    public void print(Ticket ticket) {
        printed.add(ticket);
    }

    public boolean has(Ticket ticket) {
        return printed.contains(ticket);
    }
}
