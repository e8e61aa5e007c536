package dev.orderly.dashboard.page;

/** The page of a request that is not served as asked. */
public record ProblemPage(String title, String detail) implements Page {
    @Override
    public String template() {
        return "layout/problem.jte";
    }
}
