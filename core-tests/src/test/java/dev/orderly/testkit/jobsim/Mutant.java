package dev.orderly.testkit.jobsim;

import dev.orderly.testkit.PlantedStoreBugs;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.lang.classfile.ClassFile;
import java.lang.classfile.ClassModel;
import java.lang.classfile.CodeBuilder;
import java.lang.classfile.CodeElement;
import java.lang.classfile.CodeTransform;
import java.lang.classfile.MethodModel;
import java.lang.classfile.MethodTransform;
import java.lang.classfile.TypeKind;
import java.lang.constant.ClassDesc;
import java.lang.constant.ConstantDescs;
import java.lang.constant.MethodTypeDesc;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Method;
import java.util.List;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * Orderly with one method that does nothing, always gives the same answer, or is one of {@link PlantedStoreBugs}: a bug
 * planted without a seam.
 *
 * @param type name of a class: of {@code dev.orderly.job.engine}, or, with a package, below {@code dev.orderly}
 * @param method its name; all methods of that name
 * @param answer 0 or 1, for false or true; without a meaning for a method without a result; {@value #PLANTED} for the
 *     method of that name in {@link PlantedStoreBugs}
 */
record Mutant(String type, String method, int answer) {
    static final int PLANTED = 2;

    /** The first seed that finds the bug, and the promise that it finds broken. */
    record Found(long seed, String promise) {}

    /** Null if no seed from {@code first} to {@code last} finds the bug. */
    @Nullable
    Found find(long first, long last) {
        return find("steps", first, last);
    }

    /**
     * As {@link #find(long, long)}.
     *
     * @param situation the method of {@link JobSimulation} with the steps of a seed
     */
    @Nullable
    Found find(String situation, long first, long last) {
        try {
            Class<?> simulation = new Loader().loadClass(JobSimulation.class.getName());
            Method steps = simulation.getMethod(situation, long.class);
            Method run = simulation.getMethod("run", List.class);
            for (long seed = first; seed <= last; seed++) {
                try {
                    run.invoke(null, steps.invoke(null, seed));
                } catch (InvocationTargetException e) {
                    Throwable thrown = Objects.requireNonNull(e.getCause());
                    if (!thrown.getClass().getName().equals(BrokenJobPromise.class.getName())) {
                        throw new IllegalStateException(thrown);
                    }
                    return new Found(seed, String.valueOf(thrown.getMessage()).lines().findFirst().orElse(""));
                }
            }
            return null;
        } catch (ReflectiveOperationException e) {
            throw new IllegalStateException(e);
        }
    }

    /** Loads the whole of Orderly anew, with the bug. */
    private final class Loader extends ClassLoader {
        private int changed;

        Loader() {
            super(Mutant.class.getClassLoader());
        }

        @Override
        protected Class<?> loadClass(String name, boolean resolve) throws ClassNotFoundException {
            if (!name.startsWith("dev.orderly.")) {
                return super.loadClass(name, resolve);
            }
            synchronized (getClassLoadingLock(name)) {
                Class<?> loaded = findLoadedClass(name);
                return loaded == null ? load(name) : loaded;
            }
        }

        private Class<?> load(String name) throws ClassNotFoundException {
            try (InputStream file = Objects.requireNonNull(getParent())
                    .getResourceAsStream(name.replace('.', '/') + ".class")) {
                if (file == null) {
                    throw new ClassNotFoundException(name);
                }
                byte[] bytes = file.readAllBytes();
                byte[] used = name.equals((type.contains(".") ? "dev.orderly." : "dev.orderly.job.engine.") + type)
                        ? changed(bytes)
                        : bytes;
                return defineClass(name, used, 0, used.length);
            } catch (IOException e) {
                throw new UncheckedIOException(e);
            }
        }

        private byte[] changed(byte[] bytes) {
            ClassFile format = ClassFile.of();
            ClassModel parsed = format.parse(bytes);
            byte[] mutated = format.transformClass(parsed, (builder, element) -> {
                if (element instanceof MethodModel found && found.methodName().equalsString(method)) {
                    changed++;
                    if (answer == PLANTED) {
                        builder.transformMethod(found, MethodTransform.transformingCode(planted(parsed, found)));
                        return;
                    }
                    builder.withMethod(found.methodName(), found.methodType(), found.flags().flagsMask(),
                            body -> body.withCode(code -> answer(code, found)));
                } else {
                    builder.with(element);
                }
            });
            if (changed == 0) {
                throw new IllegalStateException("There is no method " + type + "." + method);
            }
            return mutated;
        }

        /** The planted method first; what is left of the method runs if that has no result. */
        private CodeTransform planted(ClassModel parsed, MethodModel found) {
            ClassDesc self = parsed.thisClass().asSymbol();
            MethodTypeDesc type = found.methodTypeSymbol();
            return CodeTransform.ofStateful(() -> new CodeTransform() {
                @Override
                public void atStart(CodeBuilder code) {
                    code.aload(code.receiverSlot());
                    for (int n = 0; n < type.parameterCount(); n++) {
                        code.loadLocal(TypeKind.from(type.parameterType(n)), code.parameterSlot(n));
                    }
                    code.invokestatic(ClassDesc.of(PlantedStoreBugs.class.getName()), method,
                            type.insertParameterTypes(0, self));
                    if (!type.returnType().equals(ConstantDescs.CD_void)) {
                        code.return_(TypeKind.from(type.returnType()));
                    }
                }

                @Override
                public void accept(CodeBuilder code, CodeElement element) {
                    if (type.returnType().equals(ConstantDescs.CD_void)) {
                        code.with(element);
                    }
                }
            });
        }

        private void answer(CodeBuilder code, MethodModel found) {
            switch (found.methodTypeSymbol().returnType().descriptorString()) {
                case "V" -> code.return_();
                case "Z", "I" -> code.loadConstant(answer).ireturn();
                default -> throw new IllegalStateException(type + "." + method + " has no number as its answer");
            }
        }
    }
}
