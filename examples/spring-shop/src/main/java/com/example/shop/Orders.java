package com.example.shop;

import com.example.shop.StepView.State;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import org.springframework.jdbc.core.simple.JdbcClient;
import org.springframework.stereotype.Repository;

/** The tables of the shop. */
@Repository
class Orders {
    private final JdbcClient database;

    Orders(JdbcClient database) {
        this.database = database;
    }

    /** Takes a piece from the stock; false if none is left. */
    boolean takePiece(Product product) {
        return database.sql("UPDATE stock SET pieces = pieces - 1 WHERE product = ? AND pieces > 0")
                .param(product.name()).update() == 1;
    }

    int pieces(Product product) {
        return database.sql("SELECT pieces FROM stock WHERE product = ?").param(product.name())
                .query(Integer.class).single();
    }

    void insert(Order order) {
        database.sql("INSERT INTO orders (id, customer, product, card) VALUES (?, ?, ?, ?)")
                .params(order.id(), order.customer(), order.product().name(), order.card().name()).update();
        for (OrderStep step : OrderStep.allOf(order.id())) {
            database.sql("INSERT INTO steps (order_id, step, state, percent, note) VALUES (?, ?, ?, 0, '')")
                    .params(order.id(), step.step().name(), State.WAITING.name()).update();
        }
    }

    Optional<Order> find(String id) {
        return database.sql("SELECT id, customer, product, card FROM orders WHERE id = ?").param(id)
                .query(Order.class).optional();
    }

    List<Order> of(String customer) {
        return database.sql("SELECT id, customer, product, card FROM orders WHERE customer = ?").param(customer)
                .query(Order.class).list();
    }

    /** The steps of an order, in their order. */
    List<StepView> steps(String order) {
        return database.sql("SELECT step, state, percent, note FROM steps WHERE order_id = ?").param(order)
                .query(StepView.class).list().stream().sorted(Comparator.comparing(StepView::step)).toList();
    }

    void update(String order, StepView step) {
        database.sql("UPDATE steps SET state = ?, percent = ?, note = ? WHERE order_id = ? AND step = ?")
                .params(step.state().name(), step.percent(), step.note(), order, step.step().name()).update();
    }
}
