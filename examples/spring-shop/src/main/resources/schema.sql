CREATE TABLE IF NOT EXISTS stock (product VARCHAR(20) PRIMARY KEY, pieces INT NOT NULL);

CREATE TABLE IF NOT EXISTS orders (
    id       VARCHAR(36) PRIMARY KEY,
    customer VARCHAR(36) NOT NULL,
    product  VARCHAR(20) NOT NULL,
    card     VARCHAR(20) NOT NULL
);
CREATE INDEX IF NOT EXISTS orders_of_customer ON orders (customer);

CREATE TABLE IF NOT EXISTS steps (
    order_id VARCHAR(36)  NOT NULL,
    step     VARCHAR(20)  NOT NULL,
    state    VARCHAR(20)  NOT NULL,
    percent  INT          NOT NULL,
    note     VARCHAR(200) NOT NULL,
    PRIMARY KEY (order_id, step)
);
