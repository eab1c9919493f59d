package io.entroq.examples.trampoline;

import io.entroq.api.EntroQException;
import io.entroq.api.Value;
import io.entroq.api.codec.ValueCodec;
import java.util.List;
import java.util.stream.Stream;

/**
 * An order in progress. Immutable.
 *
 * @param number identifies the order
 * @param cents its price
 * @param route the remaining steps, the next one first; empty when it is done
 * @param taken the completed steps, in order
 */
record Order(int number, int cents, List<String> route, List<String> taken) {
  /** Encodes an order as the value of a task: fields separated by tabs. */
  static final ValueCodec<Order> CODEC =
      new ValueCodec<>() {
        @Override
        public Value encode(Order order) {
          return Value.text(
              String.join(
                  "\t",
                  Integer.toString(order.number),
                  Integer.toString(order.cents),
                  String.join(" ", order.route),
                  String.join(" ", order.taken)));
        }

        @Override
        public Order decode(Value value) {
          try {
            String[] fields = value.asText().split("\t", -1);
            return new Order(
                Integer.parseInt(fields[0]),
                Integer.parseInt(fields[1]),
                steps(fields[2]),
                steps(fields[3]));
          } catch (NumberFormatException | ArrayIndexOutOfBoundsException e) {
            throw new EntroQException.Codec("not an order: " + value.asText(), e);
          }
        }
      };

  /** Copies the lists. */
  Order {
    route = List.copyOf(route);
    taken = List.copyOf(taken);
  }

  /** A new order that takes these steps. */
  static Order placed(int number, int cents, String... route) {
    return new Order(number, cents, List.of(route), List.of());
  }

  /** This order with the first step of its route completed. */
  Order onward() {
    return new Order(number, cents, route.subList(1, route.size()), append(taken, route.get(0)));
  }

  /** This order with another route from here. */
  Order rerouted(String... newRoute) {
    return new Order(number, cents, List.of(newRoute), taken);
  }

  /** This order with an additional step before the remaining ones. */
  Order via(String step) {
    return new Order(number, cents, Stream.concat(Stream.of(step), route.stream()).toList(), taken);
  }

  private static List<String> append(List<String> steps, String step) {
    return Stream.concat(steps.stream(), Stream.of(step)).toList();
  }

  private static List<String> steps(String text) {
    return text.isEmpty() ? List.of() : List.of(text.split(" ", -1));
  }
}
