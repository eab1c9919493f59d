package io.entroq.client.transport;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

/**
 * The unanswered requests of a stream by number. Numbers are reused, so that an array suffices. One
 * thread at a time.
 */
final class ExchangeTable {
  private static final int INITIAL_CAPACITY = 16;

  /** Number {@code n} is at index {@code n - 1}. */
  private StreamExchange<?, ?>[] exchanges = new StreamExchange<?, ?>[INITIAL_CAPACITY];

  /** A stack of free numbers. */
  private int[] free = new int[INITIAL_CAPACITY];

  private int freeCount;
  private int used;

  int size() {
    return used - freeCount;
  }

  /** Adds an exchange and returns its number. */
  int add(StreamExchange<?, ?> exchange) {
    int number = freeCount > 0 ? free[--freeCount] : ++used;
    if (number > exchanges.length) {
      exchanges = Arrays.copyOf(exchanges, 2 * exchanges.length);
      free = Arrays.copyOf(free, 2 * free.length);
    }
    exchanges[number - 1] = exchange;
    return number;
  }

  /** The exchange with a number; null if there is none. */
  StreamExchange<?, ?> get(long number) {
    return number >= 1 && number <= used ? exchanges[(int) number - 1] : null;
  }

  /** Removes the exchange with a number; null if there is none. */
  StreamExchange<?, ?> remove(long number) {
    StreamExchange<?, ?> exchange = get(number);
    if (exchange != null) {
      exchanges[(int) number - 1] = null;
      free[freeCount++] = (int) number;
    }
    return exchange;
  }

  List<StreamExchange<?, ?>> all() {
    List<StreamExchange<?, ?>> all = new ArrayList<>(size());
    for (int i = 0; i < used; i++) {
      if (exchanges[i] != null) {
        all.add(exchanges[i]);
      }
    }
    return all;
  }
}
