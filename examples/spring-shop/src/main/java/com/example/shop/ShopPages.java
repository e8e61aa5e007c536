package com.example.shop;

import com.example.shop.StepView.State;
import dev.orderly.servlet.room.RoomVisit;
import dev.orderly.user.UserId;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;
import java.util.List;
import org.springframework.http.HttpStatus;
import org.springframework.stereotype.Controller;
import org.springframework.ui.Model;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.PathVariable;
import org.springframework.web.bind.annotation.PostMapping;
import org.springframework.web.bind.annotation.RequestParam;
import org.springframework.web.server.ResponseStatusException;

/** The pages of the shop. */
@Controller
class ShopPages {
    private final Orders orders;
    private final Checkout checkout;
    private final Customers customers;

    ShopPages(Orders orders, Checkout checkout, Customers customers) {
        this.orders = orders;
        this.checkout = checkout;
        this.customers = customers;
    }

    @GetMapping("/")
    String shop(HttpServletRequest request, Model model) {
        model.addAttribute("products", Product.onShelves());
        model.addAttribute("jar", Product.JAR);
        model.addAttribute("orders", customers.of(request).map(user -> orders.of(user.value())).orElse(List.of()));
        return "shop";
    }

    @GetMapping("/products/{product}")
    String product(@PathVariable("product") String path, Model model) {
        return page(onShelf(path), model);
    }

    @PostMapping("/products/{product}")
    String buy(@PathVariable("product") String path, @RequestParam("card") Card card, HttpServletRequest request,
            HttpServletResponse response, Model model) {
        return buy(onShelf(path), card, request, response, model);
    }

    /** Behind the waiting room: whoever sees this page is inside. */
    @GetMapping("/sale")
    String sale(Model model) {
        return page(Product.JAR, model);
    }

    @PostMapping("/sale")
    String buyInSale(@RequestParam("card") Card card, HttpServletRequest request, HttpServletResponse response,
            Model model) {
        return buy(Product.JAR, card, request, response, model);
    }

    @PostMapping("/sale/leave")
    String leave(HttpServletRequest request) {
        RoomVisit.of(request).ifPresent(RoomVisit::end);
        return "redirect:/";
    }

    /** An order of somebody else is not found, as one that does not exist. */
    @GetMapping("/orders/{id}")
    String order(@PathVariable("id") String id, HttpServletRequest request, Model model) {
        String customer = customers.of(request).map(UserId::value).orElse("");
        Order order = orders.find(id).filter(found -> found.customer().equals(customer))
                .orElseThrow(() -> new ResponseStatusException(HttpStatus.NOT_FOUND));
        List<StepView> steps = orders.steps(id);
        model.addAttribute("order", order);
        model.addAttribute("steps", steps);
        model.addAttribute("news", steps.stream().filter(step -> step.state() != State.DONE).map(StepView::note)
                .findFirst().orElse("Thank you. Your parcel is on its way."));
        return "order";
    }

    @GetMapping("/login")
    String login() {
        return "login";
    }

    private static Product onShelf(String path) {
        return Product.onShelf(path).orElseThrow(() -> new ResponseStatusException(HttpStatus.NOT_FOUND));
    }

    private String page(Product product, Model model) {
        model.addAttribute("product", product);
        model.addAttribute("pieces", orders.pieces(product));
        model.addAttribute("cards", Card.values());
        return "product";
    }

    private String buy(Product product, Card card, HttpServletRequest request, HttpServletResponse response,
            Model model) {
        try {
            Order order = checkout.place(customers.ofOrNew(request), product, card);
            RoomVisit.of(request).ifPresent(RoomVisit::end); // after the purchase: the next visitor enters
            return "redirect:/orders/" + order.id();
        } catch (Checkout.SoldOut e) {
            response.setStatus(HttpStatus.CONFLICT.value());
            model.addAttribute("problem", e.getMessage());
            return page(product, model);
        }
    }
}
