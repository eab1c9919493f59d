package io.entroq.examples.trampoline;

import io.entroq.api.Value;
import io.entroq.api.codec.CodecException;
import io.entroq.api.codec.ValueCodec;
import java.util.List;
import java.util.stream.Stream;

/**
 * An order on its way. Immutable.
 *
 * @param number tells orders apart
 * @param cents what it costs
 * @param route the steps that are left, the next one first; empty at the end of the way
 * @param taken the steps that lie behind it, in order
 */
record Order(int number, int cents, List<String> route, List<String> taken) {
  /** How an order stands in the value of a task: a line of fields with tabs in between. */
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
                words(fields[2]),
                words(fields[3]));
          } catch (NumberFormatException | ArrayIndexOutOfBoundsException e) {
            throw new CodecException("not an order: " + value.asText(), e);
          }
        }
      };

  /** Copies the lists. */
  Order {
    route = List.copyOf(route);
    taken = List.copyOf(taken);
  }

  /** A new one that is to go through these steps. */
  static Order placed(int number, int cents, String... route) {
    return new Order(number, cents, List.of(route), List.of());
  }

  /** The same with the first step of its route behind it. */
  Order onward() {
    return new Order(number, cents, route.subList(1, route.size()), append(taken, route.get(0)));
  }

  /** The same on another way from here on. */
  Order rerouted(String... newRoute) {
    return new Order(number, cents, List.of(newRoute), taken);
  }

  /** The same with a step more, before those that are left. */
  Order via(String step) {
    return new Order(number, cents, Stream.concat(Stream.of(step), route.stream()).toList(), taken);
  }

  private static List<String> append(List<String> steps, String step) {
    return Stream.concat(steps.stream(), Stream.of(step)).toList();
  }

  private static List<String> words(String text) {
    return text.isEmpty() ? List.of() : List.of(text.split(" ", -1));
  }
}
