"""What the analytic solvers and cyclic coordinate descent are made of: scalar helpers, limits, limbs and kernels."""
