package io.entroq.client.transport;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

/**
 * Requests that were sent over a stream and are not answered, by their numbers. A number is used
 * again once it is free, so that there is an array instead of a map. For one thread at a time.
 */
final class ExchangeTable {
  private static final int PLACES_FIRST = 16;

  /** Of number 1 and up. */
  private StreamExchange<?, ?>[] endpoints = new StreamExchange<?, ?>[PLACES_FIRST];

  /** Numbers that were used and are free; as many of them as {@code freeCount}. */
  private int[] free = new int[PLACES_FIRST];

  private int freeCount;
  private int used;

  int size() {
    return used - freeCount;
  }

  /** Keeps an exchange, and tells by which number. */
  int add(StreamExchange<?, ?> exchange) {
    int number = freeCount > 0 ? free[--freeCount] : ++used;
    if (number > endpoints.length) {
      endpoints = Arrays.copyOf(endpoints, 2 * endpoints.length);
      free = Arrays.copyOf(free, 2 * free.length);
    }
    endpoints[number - 1] = exchange;
    return number;
  }

  /** The exchange of a number; null if there is none. */
  StreamExchange<?, ?> get(long number) {
    return number >= 1 && number <= used ? endpoints[(int) number - 1] : null;
  }

  /** The same, and the number is free. */
  StreamExchange<?, ?> remove(long number) {
    StreamExchange<?, ?> exchange = get(number);
    if (exchange != null) {
      endpoints[(int) number - 1] = null;
      free[freeCount++] = (int) number;
    }
    return exchange;
  }

  /** All there are. */
  List<StreamExchange<?, ?>> all() {
    List<StreamExchange<?, ?>> all = new ArrayList<>(size());
    for (int i = 0; i < used; i++) {
      if (endpoints[i] != null) {
        all.add(endpoints[i]);
      }
    }
    return all;
  }
}
