package dev.orderly.springtest.shop;

public interface MailServer {
    void send(Mail mail);

    record Mail(String to, String text) {}
}
