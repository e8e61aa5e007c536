package com.example.boxoffice;

import dev.orderly.spring.JobHandler;
import org.springframework.stereotype.Component;

@Component
class Printing {
    private final Printer printer;

    Printing(Printer printer) {
        this.printer = printer;
    }

    @JobHandler("tickets")
    void print(Ticket ticket) {
        printer.print(ticket);
    }
}
