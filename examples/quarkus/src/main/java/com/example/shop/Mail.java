package com.example.shop;

/** A payload. */
public record Mail(String to, String text) {}
