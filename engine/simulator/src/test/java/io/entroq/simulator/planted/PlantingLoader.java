package io.entroq.simulator.planted;

import java.io.IOException;
import java.io.InputStream;
import java.util.Map;

/**
 * Loads the product and the simulator again, with some classes replaced. Other classes come from
 * the parent.
 */
final class PlantingLoader extends ClassLoader {
  private static final String OURS = "io.entroq.";

  private final Map<String, byte[]> planted;

  /**
   * @param planted the replaced classes, by name
   */
  PlantingLoader(Map<String, byte[]> planted) {
    super(PlantingLoader.class.getClassLoader());
    this.planted = Map.copyOf(planted);
    // As in the product, assertions are disabled.
    clearAssertionStatus();
  }

  /** An instance of a class that is loaded here, to be used by an interface of the parent. */
  Object instance(String className) {
    try {
      return loadClass(className).getDeclaredConstructor().newInstance();
    } catch (ReflectiveOperationException e) {
      throw new IllegalStateException(e);
    }
  }

  @Override
  protected Class<?> loadClass(String name, boolean resolve) throws ClassNotFoundException {
    if (!name.startsWith(OURS)) {
      return super.loadClass(name, resolve);
    }
    synchronized (getClassLoadingLock(name)) {
      Class<?> loaded = findLoadedClass(name);
      return loaded != null ? loaded : define(name);
    }
  }

  private Class<?> define(String name) throws ClassNotFoundException {
    byte[] bytes = planted.get(name);
    if (bytes == null) {
      bytes = original(name);
    }
    return defineClass(name, bytes, 0, bytes.length);
  }

  private byte[] original(String name) throws ClassNotFoundException {
    String file = name.replace('.', '/') + ".class";
    try (InputStream in = getParent().getResourceAsStream(file)) {
      if (in == null) {
        throw new ClassNotFoundException(name);
      }
      return in.readAllBytes();
    } catch (IOException e) {
      throw new ClassNotFoundException(name, e);
    }
  }
}
