package io.entroq.engine;

import java.lang.invoke.MethodHandle;
import java.lang.invoke.MethodHandles.Lookup;
import java.lang.invoke.MethodType;
import java.lang.reflect.Field;
import java.util.List;

/**
 * Gives the class path access to packages of the JDK, as {@code --add-exports} and {@code
 * --add-opens} do. Those flags would have to be in every command that runs an application or its
 * tests.
 *
 * <p>Only the JDK itself may do so. Its module {@code jdk.unsupported} lends the right: through it,
 * a lookup with the rights of the JDK can be read.
 */
final class JdkAccess {
  private JdkAccess() {}

  /**
   * Gives access to packages of a module.
   *
   * @param exports whose public members all may use
   * @param opens on whose members all may reflect
   * @throws ReflectiveOperationException if this JDK has no such way
   */
  static void give(Module module, List<String> exports, List<String> opens)
      throws ReflectiveOperationException {
    Lookup lookup = trusted();
    apply(lookup, "implAddExportsToAllUnnamed", module, exports);
    apply(lookup, "implAddOpensToAllUnnamed", module, opens);
  }

  private static void apply(Lookup lookup, String method, Module module, List<String> packages)
      throws ReflectiveOperationException {
    MethodHandle add =
        lookup.findVirtual(Module.class, method, MethodType.methodType(void.class, String.class));
    for (String name : packages) {
      try {
        add.invoke(module, name);
      } catch (RuntimeException | Error e) {
        throw e;
      } catch (Throwable t) {
        throw new ReflectiveOperationException(t);
      }
    }
  }

  /** By reflection, since javac warns of this class wherever it is named. */
  private static Lookup trusted() throws ReflectiveOperationException {
    Class<?> type = Class.forName("sun.misc.Unsafe");
    Field instance = type.getDeclaredField("theUnsafe");
    instance.setAccessible(true);
    Object unsafe = instance.get(null);
    Field lookup = Lookup.class.getDeclaredField("IMPL_LOOKUP");
    Object base = type.getMethod("staticFieldBase", Field.class).invoke(unsafe, lookup);
    Object offset = type.getMethod("staticFieldOffset", Field.class).invoke(unsafe, lookup);
    return (Lookup)
        type.getMethod("getObject", Object.class, long.class).invoke(unsafe, base, offset);
  }
}
