package com.example.boxoffice;

import org.springframework.boot.SpringApplication;
import org.springframework.boot.autoconfigure.SpringBootApplication;

@SpringBootApplication
public class BoxOffice {
    public static void main(String[] arguments) {
        SpringApplication.run(BoxOffice.class, arguments);
    }
}
