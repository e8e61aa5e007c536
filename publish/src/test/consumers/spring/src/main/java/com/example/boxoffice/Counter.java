package com.example.boxoffice;

import dev.orderly.job.StandardQueue;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.PathVariable;
import org.springframework.web.bind.annotation.RestController;

@RestController
class Counter {
    private final StandardQueue<Ticket> tickets;

    Counter(StandardQueue<Ticket> tickets) {
        this.tickets = tickets;
    }

    @GetMapping("/tickets/{seat}")
    String sell(@PathVariable String seat) {
        tickets.push(new Ticket(seat));
        return "sold";
    }
}
