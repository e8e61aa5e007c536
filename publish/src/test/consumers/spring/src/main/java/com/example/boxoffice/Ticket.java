package com.example.boxoffice;

public record Ticket(String seat) {}
