package com.example.shop;

import dev.orderly.job.FifoQueue;
import dev.orderly.user.UserId;
import java.util.UUID;
import org.springframework.stereotype.Service;
import org.springframework.transaction.annotation.Transactional;

/** Places orders. */
@Service
class Checkout {
    private final Orders orders;
    private final FifoQueue<OrderStep> steps;

    Checkout(Orders orders, FifoQueue<OrderStep> steps) {
        this.orders = orders;
        this.steps = steps;
    }

    /** Nothing is left of a product. */
    static final class SoldOut extends RuntimeException {
        private static final long serialVersionUID = 1;

        SoldOut(Product product) {
            super("The last " + product.title() + " has just been sold.");
        }
    }

    /**
     * Takes a piece from the stock, writes the order, and pushes its steps: on PostgreSQL all of it or, if anything
     * throws, nothing. The order is the group, so its steps run one after the other, and other orders beside them. The
     * push comes last: a SQLite file stores the jobs at once.
     *
     * @throws SoldOut if no piece is left
     */
    @Transactional
    public Order place(UserId customer, Product product, Card card) {
        if (!orders.takePiece(product)) {
            throw new SoldOut(product);
        }
        Order order = new Order(UUID.randomUUID().toString(), customer.value(), product, card);
        orders.insert(order);
        steps.group(order.id()).user(customer).pushAll(OrderStep.allOf(order.id()));
        return order;
    }
}
